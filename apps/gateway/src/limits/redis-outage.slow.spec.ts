import { DeadlineExceeded, Health } from '@carbon/observability';
import { eventually, metricValue, readExposition, startTcp } from '@carbon/testing';
import { connectedCounters, countAdmitted, LIMIT, leftOf35, redisCounters, withOwn } from '../testing/counters.js';
import { SEARCH, useGateway } from '../testing/gateway.js';
import { TestPlans } from '../testing/keys.js';
import { useRedis } from '../testing/redis.js';
import { useStub } from '../testing/stub-server.js';

const TIMEOUT_MS = 50;

const redis = useRedis();

describe('counters in a Redis that is down', () => {
  it('open a new connection when the old one is silent', async () => {
    let connections = 0;
    await using server = await startTcp((socket) => {
      connections += 1;
      socket.on('data', (chunk) => {
        // It accepts the password and the set-up, and never answers a command.
        if (!chunk.includes('EVAL')) socket.write('+OK\r\n'.repeat(chunk.toString('latin1').split('*').length - 1));
      });
    });
    const counters = redisCounters({ url: `redis://:word@127.0.0.1:${server.port}`, timeoutMs: TIMEOUT_MS });
    await eventually(() => expect(connections).toBeGreaterThanOrEqual(2));
    expect(counters.isAvailable).toBe(false);
    counters.onApplicationShutdown();
  });

  it('cost a request nothing after Redis was killed, continue from the remainder, and use Redis again when it is back', async () => {
    const inRedis = await connectedCounters({ url: redis.url });
    const counters = withOwn(inRedis);
    const left = leftOf35();
    expect(await countAdmitted(counters, 'a', 35)).toBe(35);
    await redis.part.kill('SIGKILL');
    await eventually(() => expect(inRedis.isAvailable).toBe(false));
    // Not even a promise, because nothing is waited for.
    expect(counters.take('a', LIMIT)).toMatchObject({ admitted: true, by: 'local' });
    const meanwhile = await countAdmitted(counters, 'a', 20);
    await redis.part.ready();
    await eventually(() => inRedis.checkHealth());
    expect(await counters.take('b', LIMIT)).toMatchObject({ admitted: true, by: 'redis' });
    expect(meanwhile + (await countAdmitted(counters, 'a', 20))).toBeLessThanOrEqual(left());
  });

  it('cost few requests the timeout when Redis hangs, and use Redis again when it continues', async () => {
    const inRedis = await connectedCounters({ url: redis.url, timeoutMs: TIMEOUT_MS });
    const counters = withOwn(inRedis);
    await counters.take('a', LIMIT);
    await redis.part.kill('SIGSTOP');
    try {
      // The signal takes a moment to arrive.
      await eventually(async () => {
        const begun = performance.now();
        await expect(inRedis.take('a', LIMIT, 0)).rejects.toThrow(DeadlineExceeded);
        expect(performance.now() - begun).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
      });
      let waited = 0;
      for (let round = 0; round < 30; round += 1) {
        const counted = counters.take('a', LIMIT);
        if (counted instanceof Promise) waited += 1;
        expect(await counted).toMatchObject({ admitted: true, by: 'local' });
      }
      expect(waited).toBeLessThanOrEqual(3);
      expect(inRedis.isAvailable).toBe(false);
    } finally {
      await redis.part.kill('SIGCONT');
    }
    await eventually(() => inRedis.checkHealth());
    let account = 0;
    await eventually(async () => {
      account += 1;
      expect(await counters.take(`c${account}`, LIMIT)).toMatchObject({ admitted: true, by: 'redis' });
    });
  });
});

describe('a gateway whose Redis is stopped', () => {
  const plans = new TestPlans({ small: { perSecond: 1, burst: 60 } });
  const catalog = useStub();
  const gateway = useGateway(() => ({
    CATALOG_URL: catalog.url,
    API_KEYS_FILE: plans.path,
    RATE_LIMIT_REDIS_URL: redis.url,
    RATE_LIMIT_REDIS_TIMEOUT_MS: '1000',
  }));

  it('stays ready, counts locally, reports it, and returns to Redis', async () => {
    const shows = (answers: 0 | 1, dependency: 'up' | 'down') =>
      eventually(async () => {
        const metrics = readExposition((await gateway.send({ path: '/metrics' })).body.toString());
        const ready = await gateway.send({ path: '/health/ready' });
        expect([metricValue(metrics, 'carbon_gateway_rate_limit_redis_up'), ready.status]).toEqual([answers, 200]);
        expect(ready.json).toMatchObject({ dependencies: { redis: dependency, catalog: 'up' } });
      });
    gateway.app.get(Health, { strict: false }).listening();
    await shows(1, 'up');
    await redis.part.stop();
    await shows(0, 'down');
    const { status, headers } = await gateway.send({ path: SEARCH, headers: plans.keyOf('small').headers });
    expect([status, headers['ratelimit-policy']]).toEqual([200, '"small";q=60;w=60']);
    await redis.part.start();
    await shows(1, 'up');
  });
});
