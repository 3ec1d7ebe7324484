import { loadConfig } from '@carbon/config';
import { catalogSettings } from './catalog.config.js';

const SECRETS = {
  INTERNAL_SECRETS: 'an-internal-secret-of-at-least-32-characters',
  CURSOR_SECRETS: 'a-cursor-secret-of-at-least-32-characters',
};

/** How long the gateway waits for the catalog, unless told. */
const GATEWAY_WAITS_MS = 1_600;

describe('the catalog’s settings', () => {
  it('have a search end before the gateway, and its client after two seconds, wait no more', () => {
    const { SEARCH_TIMEOUT_MS } = loadConfig(catalogSettings, SECRETS);
    expect(SEARCH_TIMEOUT_MS).toBeLessThan(GATEWAY_WAITS_MS);
  });
});
