import { describeConfig, loadConfig } from '@carbon/config';
import { z } from 'zod';
import { limitSettings } from './limit-settings.js';

const settings = z.object(limitSettings);
const read = (environment: Record<string, string>) => loadConfig(settings, environment);

describe('the settings of the limits', () => {
  it('limit failed keys, trust no proxy and ask no Redis when nothing is said', () => {
    expect(read({})).toEqual({
      RATE_LIMIT_FAILED_KEYS: { perSecond: 1, burst: 60 },
      RATE_LIMIT_CALLERS: 100_000,
      RATE_LIMIT_REDIS_PREFIX: 'carbon:limits:',
      RATE_LIMIT_REDIS_TIMEOUT_MS: 50,
    });
  });

  it.each(['redis://127.0.0.1:6379', 'rediss://:p%40ss@redis.example:6380/2', 'redis://user:word@redis.example'])(
    'take %s for a Redis',
    (RATE_LIMIT_REDIS_URL) => expect(read({ RATE_LIMIT_REDIS_URL })).toMatchObject({ RATE_LIMIT_REDIS_URL }),
  );

  it.each(['http://redis.example', 'redis.example:6379', 'redis://redis.example/first', 'redis://redis.example/1/2'])(
    'take %s for none',
    (RATE_LIMIT_REDIS_URL) => expect(() => read({ RATE_LIMIT_REDIS_URL })).toThrow('RATE_LIMIT_REDIS_URL must'),
  );

  it('take no network for trusted that everybody is in', () => {
    expect(() => read({ TRUSTED_PROXIES: '10.0.0.1, 0.0.0.0/0' })).toThrow('TRUSTED_PROXIES must be addresses');
    expect(read({ TRUSTED_PROXIES: '10.0.0.1, fd00::/8' }).TRUSTED_PROXIES?.trusts('fd12::1')).toBe(true);
  });

  it('never print the address of Redis, which may hold a password', () => {
    const named = describeConfig(settings).find(({ name }) => name === 'RATE_LIMIT_REDIS_URL');
    expect(named).toMatchObject({ secret: true, required: false });
  });
});
