import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from './config-error.js';
import { logSettings } from './fragments/common-settings.js';
import { secretList } from './fragments/secrets.js';
import { loadConfig } from './load-config.js';

const SECRET = 'b7Yk2mQp9sTn4vXw8zAc1eFg5hJk3lRd';
const OTHER = 'Wq0eR7tYu2iOp5aSd8fGh1jKl4zXc6vB';
const COMPOSE = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
const PUBLISHED = [...COMPOSE.matchAll(/(\w+_SECRETS): \$\{\w+:-([^}]+)\}/g)].map(([, name = '', secret = '']) => ({
  name,
  secret,
}));

const schema = z.object({
  ...logSettings,
  ID_SECRETS: secretList('Proves ids.'),
  CURSOR_SECRETS: secretList('Proves cursors.'),
});

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(schema, { LOG_LEVEL: 'info', ID_SECRETS: SECRET, CURSOR_SECRETS: OTHER, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name, detail }) => `${name} ${detail}`);
    throw error;
  }
}

describe('the secrets of docker-compose.yml', () => {
  it('are there for every app', () => {
    const names = new Set(PUBLISHED.map(({ name }) => name));
    expect(names).toEqual(new Set(['INTERNAL_SECRETS', 'ID_SECRETS', 'IDEMPOTENCY_SECRETS', 'CURSOR_SECRETS']));
  });

  it.each(PUBLISHED)('are taken on a laptop and refused in production: $secret', ({ secret }) => {
    for (const ID_SECRETS of [secret, `${SECRET},${secret}`]) {
      expect(faultsOf({ ID_SECRETS })).toEqual([]);
      expect(faultsOf({ ID_SECRETS, NODE_ENV: 'production' })).toEqual([
        expect.stringMatching(/^ID_SECRETS must not be what docker-compose.yml publishes/),
      ]);
    }
  });
});

describe('one secret for two things', () => {
  it('is refused in production, without being said', () => {
    const both = { ID_SECRETS: `${OTHER},${SECRET}`, CURSOR_SECRETS: SECRET };
    expect(faultsOf(both)).toEqual([]);
    expect(faultsOf({ ...both, NODE_ENV: 'production' })).toEqual([
      'CURSOR_SECRETS must hold other secrets than ID_SECRETS',
    ]);
  });
});
