import { ConfigError, describeConfig, loadConfig } from '@carbon/config';
import { gatewaySettings } from './gateway.config.js';

const SECRETS = {
  INTERNAL_SECRETS: 'an-internal-secret-of-at-least-32-characters',
  ID_SECRETS: 'an-id-secret-of-at-least-32-characters',
  IDEMPOTENCY_SECRETS: 'a-key-secret-of-at-least-32-characters,an-old-one-of-at-least-32-characters',
};
const faultsOf = (environment: Record<string, string>) => {
  try {
    loadConfig(gatewaySettings, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ name }) => name);
  }
};

describe('the gateway’s settings', () => {
  it('need nothing but the secrets, and then have a search answered within 2 s and an offset within 5.5 s', () => {
    expect(loadConfig(gatewaySettings, SECRETS)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      OFFSETS_URL: 'http://127.0.0.1:3001',
      CATALOG_URL: 'http://127.0.0.1:3002',
      OFFSETS_TIMEOUT_MS: 2_500,
      CATALOG_TIMEOUT_MS: 1_600,
      ACCEPT_TIMEOUT_MS: 5_000,
      ACCEPT_IN_FLIGHT: 2_000,
      REPLAY_RECENT: 100_000,
      REPLAY_RECENT_MS: 600_000,
      REPLAY_TIMEOUT_MS: 150,
      TOPIC_PREFIX: '',
    });
  });

  it('are told wrong all at once', () => {
    expect(faultsOf({ PORT: '-1', OFFSETS_URL: 'ftp://x', ID_SECRETS: 'short' }).sort()).toEqual([
      'IDEMPOTENCY_SECRETS',
      'ID_SECRETS',
      'INTERNAL_SECRETS',
      'OFFSETS_URL',
      'PORT',
    ]);
  });

  it('refuse production while the gateway is open', () => {
    expect(faultsOf({ ...SECRETS, NODE_ENV: 'production' })).toEqual(['NODE_ENV']);
    expect(faultsOf({ ...SECRETS, NODE_ENV: 'production', OFFSETS_URL: 'x' }).sort()).toEqual([
      'NODE_ENV',
      'OFFSETS_URL',
    ]);
    expect(faultsOf({ ...SECRETS, NODE_ENV: 'production', API_KEYS_FILE: 'keys.json' })).toEqual([]);
  });

  it('keep the waits for a replay and for Kafka below the 5.5 s that a POST may take, and that for offsets above its own wait', () => {
    const longest = { ACCEPT_TIMEOUT_MS: '5200', REPLAY_TIMEOUT_MS: '200' };
    expect(faultsOf({ ...SECRETS, ...longest })).toEqual([]);
    expect(faultsOf({ ...SECRETS, ACCEPT_TIMEOUT_MS: '5201', REPLAY_TIMEOUT_MS: '201' }).sort()).toEqual([
      'ACCEPT_TIMEOUT_MS',
      'REPLAY_TIMEOUT_MS',
    ]);
    expect(faultsOf({ ...SECRETS, OFFSETS_TIMEOUT_MS: '1000' })).toEqual(['OFFSETS_TIMEOUT_MS']);
  });

  it('are all described', () => {
    expect(describeConfig(gatewaySettings).find(({ name }) => name === 'NODE_ENV')).toMatchObject({
      fallback: 'development',
      required: false,
    });
  });
});
