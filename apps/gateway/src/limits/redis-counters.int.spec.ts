import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority, startTlsProxy, type TlsProxy } from '@carbon/local';
import { eventually, startTcp } from '@carbon/testing';
import { createClient } from '@redis/client';
import { connectedCounters, countAdmitted, LIMIT, leftOf35, redisCounters, withOwn } from '../testing/counters.js';
import { SEARCH, useGateway } from '../testing/gateway.js';
import { countByStatus } from '../testing/http.js';
import { TestPlans } from '../testing/keys.js';
import { useRedis } from '../testing/redis.js';
import { useStub } from '../testing/stub-server.js';
import { redisHint } from './redis-connection.js';
import type { RedisCounters } from './redis-counters.js';

/** The maximum number of calls that the health checks of all counters add within a few moments. */
const SOME_PROBES = 25;

const redis = useRedis();
let admin: ReturnType<typeof createClient>;
beforeAll(async () => {
  admin = createClient({ url: redis.url });
  admin.on('error', () => {});
  await admin.connect();
});
afterAll(() => admin.destroy());

describe('two gateways with a Redis', () => {
  const plans = new TestPlans({ small: { perSecond: 1, burst: 60 } });
  const catalog = useStub();
  const settings = () => ({
    CATALOG_URL: catalog.url,
    API_KEYS_FILE: plans.path,
    RATE_LIMIT_FAILED_KEYS: '1/60',
    RATE_LIMIT_REDIS_URL: redis.url,
    RATE_LIMIT_REDIS_PREFIX: 'gateways:',
    // However busy the machine is.
    RATE_LIMIT_REDIS_TIMEOUT_MS: '1000',
  });
  const gateways = [useGateway(settings), useGateway(settings)] as const;

  it.each([
    ['a key', 200, () => plans.keyOf('small').headers],
    ['an address without a valid key', 401, () => ({})],
  ])('keep %s within one limit', async (_, status, headers) => {
    for (const { send } of gateways)
      await eventually(async () => {
        const metrics = (await send({ path: '/metrics' })).body.toString();
        expect(metrics).toMatch(/^carbon_gateway_rate_limit_redis_up 1$/m);
      });
    const begun = performance.now();
    const responses = [];
    for (let round = 0; round < 16; round += 1) {
      const { send } = gateways[round % 2 === 0 ? 0 : 1];
      const some = Array.from({ length: 10 }, () => send({ path: SEARCH, headers: headers() }));
      responses.push(...(await Promise.all(some)));
    }
    const { [status]: served = 0, ...others } = countByStatus(responses);
    expect(others).toEqual({ 429: 160 - served });
    expect(served).toBeLessThanOrEqual(60 + Math.ceil((performance.now() - begun) / 1_000));
  });
});

describe('counters in Redis', () => {
  /** Returns how often Redis has run a command, including those in scripts. */
  async function callsOf(command: string): Promise<number> {
    const stats = await admin.info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  }

  it('run one script a request, and none for a bucket known to be empty', async () => {
    const counters = withOwn(await connectedCounters({ url: redis.url }));
    await countAdmitted(counters, 'a', 60);
    const before = await callsOf('evalsha');
    expect(await counters.take('a', LIMIT)).toEqual({ admitted: false, by: 'local', debt: expect.any(Number) });
    expect(await callsOf('evalsha')).toBeLessThanOrEqual(before + SOME_PROBES);
    for (let n = 0; n < 50; n += 1) await counters.take(`b${n}`, LIMIT);
    const calls = (await callsOf('evalsha')) - before;
    expect(calls).toBeGreaterThanOrEqual(50);
    expect(calls).toBeLessThanOrEqual(50 + SOME_PROBES);
  });

  it('expire when their buckets are full again', async () => {
    const counters = withOwn(await connectedCounters({ url: redis.url, prefix: 'gone:' }));
    await countAdmitted(counters, 'a', 15, { perSecond: 10, burst: 20 });
    expect(await admin.keys('gone:a')).toEqual(['gone:a']);
    const left = await admin.pTTL('gone:a');
    expect([left > 0, left <= 2_000]).toEqual([true, true]);
    await eventually(async () => expect(await admin.keys('gone:a')).toEqual([]));
    const all = await admin.keys('*');
    expect(await Promise.all(all.map((key) => admin.pTTL(key)))).not.toContain(-1);
  });

  it('continue after Redis has lost the script', async () => {
    const counters = await connectedCounters({ url: redis.url });
    await counters.take('a', LIMIT, 0);
    await admin.scriptFlush();
    expect(await counters.take('a', LIMIT, 0)).toMatchObject({ admitted: true });
  });

  it('keep no debt beyond a limit that has become smaller', async () => {
    const counters = await connectedCounters({ url: redis.url });
    for (let n = 0; n < LIMIT.burst; n += 1) await counters.take('a', LIMIT, 0);
    const smaller = { perSecond: 20, burst: 2 };
    expect(await counters.take('a', smaller, 0)).toMatchObject({ admitted: false });
    // The larger debt would last for 40 s.
    const admitted = async () => expect(await counters.take('a', smaller, 0)).toMatchObject({ admitted: true });
    await eventually(admitted, { within: 15_000 });
  });

  it('use the gateway’s debt after Redis has lost its data', async () => {
    const counters = withOwn(await connectedCounters({ url: redis.url, prefix: 'lost:' }));
    const left = leftOf35();
    expect(await countAdmitted(counters, 'a', 35)).toBe(35);
    await admin.del('lost:a');
    expect(await countAdmitted(counters, 'a', 20)).toBeLessThanOrEqual(left());
  });
});

describe('counters in a Redis that gives wrong answers', () => {
  it('fall back to local counters where a key holds another type', async () => {
    const counters = withOwn(await connectedCounters({ url: redis.url, prefix: 'wrong:' }));
    await admin.lPush('wrong:a', 'not a number');
    expect(await counters.take('a', LIMIT)).toMatchObject({ admitted: true, by: 'local' });
    await admin.set('wrong:b', 'not a number either');
    expect(await counters.take('b', LIMIT)).toMatchObject({ admitted: true, by: 'redis' });
  });

  it.each([
    ['a number', ':1'],
    ['a text', '$5\r\nhello'],
    ['too little', '*1\r\n:1'],
    ['what cannot be', '*2\r\n:7\r\n:-5'],
    ['a refusal', '-OOM command not allowed when used memory > maxmemory'],
    ['what is no answer at all', 'HTTP/1.1 400 Bad Request'],
  ])('fall back to local counters where the script returns %s', async (_what, answer) => {
    await using server = await startTcp((socket) => {
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        const commands = text.match(/\*\d+\r\n/g)?.length ?? 0;
        socket.write(text.includes('EVAL') ? `${answer}\r\n` : '+OK\r\n'.repeat(commands));
      });
    });
    const wrong = await connectedCounters({ url: `redis://127.0.0.1:${server.port}` });
    const counters = withOwn(wrong);
    for (let round = 0; round < 5; round += 1)
      expect(await counters.take('a', LIMIT)).toMatchObject({ admitted: true, by: 'local' });
    await eventually(() => expect(wrong.isAvailable).toBe(false));
    wrong.onApplicationShutdown();
  });
});

describe('a Redis over TLS', () => {
  const authority = new CertificateAuthority();
  const otherAuthority = new CertificateAuthority();
  let proxy: TlsProxy;
  beforeAll(async () => {
    const { hostname: host, port } = new URL(redis.url);
    const issued = authority.issue({ name: 'redis', hosts: ['localhost'] });
    proxy = await startTlsProxy({ host, port: Number(port) }, { ...issued, clientAuthority: authority.certificate });
  });
  afterAll(() => proxy.close());

  function securedCounters(trusted = authority, password = new URL(redis.url).password): RedisCounters {
    const { certificate, key } = authority.issue({ name: 'gateway' });
    const file = (name: string, content: string) => {
      writeFileSync(join(redis.folder, name), content);
      return join(redis.folder, name);
    };
    const tls = {
      ca: file('ca.pem', trusted.certificate),
      certificate: file('client.pem', certificate),
      key: file('client.key', key),
    };
    return redisCounters({ url: `rediss://:${password}@localhost:${proxy.port}`, tls });
  }

  it('counts, verified both ways', async () => {
    const counters = securedCounters();
    await eventually(() => counters.checkHealth());
    expect(await counters.take('one', LIMIT, 0)).toMatchObject({ admitted: true });
  });

  it.each<[string, () => RedisCounters, RegExp]>([
    ['an unknown authority', () => securedCounters(otherAuthority), /RATE_LIMIT_REDIS_CA_FILE/],
    ['a wrong password', () => securedCounters(authority, 'wrong'), /user or the password/],
  ])('falls back to local counters for %s, and says what to change', async (_, start, sentence) => {
    const counters = start();
    expect(await withOwn(counters).take('a', LIMIT)).toMatchObject({ admitted: true, by: 'local' });
    const hint = () => {
      try {
        counters.checkHealth();
        return 'it answers';
      } catch (error) {
        return redisHint(error);
      }
    };
    await eventually(() => expect(hint()).toMatch(sentence));
  });
});
