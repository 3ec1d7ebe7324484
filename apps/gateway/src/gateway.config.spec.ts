import { ConfigError, describeConfig, loadConfig } from '@carbon/config';
import { gatewaySettings } from './gateway.config.js';

const SECRETS = {
  INTERNAL_SECRETS: 'an-internal-secret-of-at-least-32-characters',
  ID_SECRETS: 'an-id-secret-of-at-least-32-characters',
  IDEMPOTENCY_SECRETS: 'a-key-secret-of-at-least-32-characters,an-old-one-of-at-least-32-characters',
};
const read = (environment: Record<string, string> = {}) => loadConfig(gatewaySettings, { ...SECRETS, ...environment });
const wrongIn = (environment: Record<string, string>) => {
  try {
    loadConfig(gatewaySettings, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map(({ name }) => name).sort();
  }
};

describe('the gateway’s settings', () => {
  it('require only the secrets, and have timeouts of 2 s for a search and 5.5 s for an offset', () => {
    expect(read()).toMatchObject({
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
      RATE_LIMIT_FAILED_KEYS: { perSecond: 1, burst: 60 },
      RATE_LIMIT_CALLERS: 100_000,
      RATE_LIMIT_REDIS_PREFIX: 'carbon:limits:',
      RATE_LIMIT_REDIS_TIMEOUT_MS: 50,
    });
    for (const name of ['RATE_LIMIT_OPEN', 'RATE_LIMIT_REDIS_URL', 'TRUSTED_PROXIES', 'API_KEYS_FILE', 'CORS_ORIGINS'])
      expect(read()).not.toHaveProperty(name);
  });

  it('list all invalid settings at once', () => {
    expect(wrongIn({ PORT: '-1', OFFSETS_URL: 'ftp://x', ID_SECRETS: 'short' })).toEqual([
      'IDEMPOTENCY_SECRETS',
      'ID_SECRETS',
      'INTERNAL_SECRETS',
      'OFFSETS_URL',
      'PORT',
    ]);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['production while the gateway is open', { NODE_ENV: 'production' }, ['NODE_ENV']],
    ['it and another error', { NODE_ENV: 'production', OFFSETS_URL: 'x' }, ['NODE_ENV', 'OFFSETS_URL']],
    ['not production with keys', { NODE_ENV: 'production', API_KEYS_FILE: 'keys.json' }, []],
    ['not the longest waits for Kafka and a replay', { ACCEPT_TIMEOUT_MS: '5200', REPLAY_TIMEOUT_MS: '200' }, []],
    ['a wait for Kafka that makes a POST too long', { ACCEPT_TIMEOUT_MS: '5201' }, ['ACCEPT_TIMEOUT_MS']],
    ['a wait for a replay that makes a POST too long', { REPLAY_TIMEOUT_MS: '201' }, ['REPLAY_TIMEOUT_MS']],
    ['less than the offsets service waits by itself', { OFFSETS_TIMEOUT_MS: '1000' }, ['OFFSETS_TIMEOUT_MS']],
    ['to trust a network that everybody is in', { TRUSTED_PROXIES: '10.0.0.1, 0.0.0.0/0' }, ['TRUSTED_PROXIES']],
  ])('refuse %s', (_, environment, wrong) => {
    expect(wrongIn({ ...SECRETS, ...environment })).toEqual(wrong);
  });

  it('accept addresses and networks as trusted proxies', () => {
    expect(read({ TRUSTED_PROXIES: '10.0.0.1, fd00::/8' }).TRUSTED_PROXIES?.trusts('fd12::1')).toBe(true);
  });

  it.each([
    ['100/200', { perSecond: 100, burst: 200 }],
    ['0.1/5', { perSecond: 0.1, burst: 5 }],
    ['unlimited', 'unlimited'],
  ])('accept %s as a limit: a rate and a burst, or none', (RATE_LIMIT_OPEN, limit) => {
    expect(read({ RATE_LIMIT_OPEN }).RATE_LIMIT_OPEN).toEqual(limit);
  });

  it.each(['100', '0/5', '0.0/5', '5/0', '-1/5', '1/2.5', '1e3/5', '10001/5', '1/1000001', 'off', '1/2/3', ' 1/2'])(
    'do not accept %j as a limit',
    (RATE_LIMIT_OPEN) =>
      expect(() => read({ RATE_LIMIT_OPEN })).toThrow('RATE_LIMIT_OPEN must be <requests a second>/<requests at once>'),
  );

  it.each(['redis://127.0.0.1:6379', 'rediss://:p%40ss@redis.example:6380/2', 'redis://user:word@redis.example'])(
    'accept %s as a Redis address',
    (RATE_LIMIT_REDIS_URL) => expect(read({ RATE_LIMIT_REDIS_URL })).toMatchObject({ RATE_LIMIT_REDIS_URL }),
  );

  it.each(['http://redis.example', 'redis.example:6379', 'redis://redis.example/first', 'redis://redis.example/1/2'])(
    'do not accept %s as a Redis address',
    (RATE_LIMIT_REDIS_URL) => expect(() => read({ RATE_LIMIT_REDIS_URL })).toThrow('RATE_LIMIT_REDIS_URL must'),
  );

  it('are documented, and the address of Redis, which may contain a password, is a secret', () => {
    const described = (name: string) => describeConfig(gatewaySettings).find((setting) => setting.name === name);
    expect(described('NODE_ENV')).toMatchObject({ fallback: 'development', required: false });
    expect(described('RATE_LIMIT_REDIS_URL')).toMatchObject({ secret: true, required: false });
  });
});
