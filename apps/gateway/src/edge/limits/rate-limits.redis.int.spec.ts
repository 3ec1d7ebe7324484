import { type RunningEngines, startEngines, type TemporaryDir, temporaryDir } from '@carbon/local';
import { Health } from '@carbon/observability';
import { eventually, figureOf, readExposition } from '@carbon/testing';
import type { TestGateway } from '../../test-gateway.js';
import { type LimitedGateways, SEARCH, searches, startLimited, tally } from './test-limits.js';

const SMALL = { perSecond: 1, burst: 60 };

let folder: TemporaryDir;
let engines: RunningEngines;
let limited: LimitedGateways;
let [one, other]: TestGateway[] = [];
beforeAll(async () => {
  folder = await temporaryDir();
  engines = await startEngines({ dir: folder.dir, which: ['redis'] });
  const settings = {
    RATE_LIMIT_REDIS_URL: engines.addresses.redisUrl ?? '',
    RATE_LIMIT_REDIS_PREFIX: 'gateways:',
    // However busy the machine is.
    RATE_LIMIT_REDIS_TIMEOUT_MS: '1000',
    RATE_LIMIT_FAILED_KEYS: '1/60',
  };
  limited = await startLimited({ common: SMALL, alone: SMALL }, settings, 2);
  [one, other] = limited.gateways;
  for (const gateway of limited.gateways) {
    gateway.app.get(Health, { strict: false }).listening();
    await eventually(async () => expect(await redisAnswers(gateway)).toBe(1));
  }
});
afterAll(async () => {
  await limited.close();
  await engines.stop();
  folder.remove();
});

async function redisAnswers(gateway: TestGateway): Promise<number | undefined> {
  const families = readExposition((await gateway.ask({ path: '/metrics' })).body.toString());
  return figureOf(families, 'carbon_gateway_rate_limit_redis_answers');
}

/** What gateways answer to so many requests, now to the one and now to the other. */
async function alternately(count: number, headers: Readonly<Record<string, string>>) {
  const rounds = Array.from({ length: count / 20 }, () => [one, other]).flat();
  const answers = [];
  for (const gateway of rounds) answers.push(...(await searches(gateway?.url ?? '', 10, headers)));
  return tally(answers);
}

describe('two gateways with a Redis', () => {
  it('keep a key within one limit', async () => {
    const begun = performance.now();
    const answers = await alternately(160, limited.plans.of('common').headers);
    const seconds = (performance.now() - begun) / 1_000;
    // The first start of the gateways is known to Redis, which knew nothing: a quarter, and what came back since.
    expect(answers[200]).toBeLessThanOrEqual(SMALL.burst + Math.ceil(seconds));
    expect(answers[429]).toBe(160 - (answers[200] ?? 0));
  });

  it('keep an address within one limit that has no valid key', async () => {
    const begun = performance.now();
    const answers = await alternately(160, {});
    const seconds = (performance.now() - begun) / 1_000;
    expect(answers).toEqual({ 401: expect.any(Number), 429: expect.any(Number) });
    expect(answers[401]).toBeLessThanOrEqual(60 + Math.ceil(seconds));
  });

  it('stay ready and go on by themselves when it is killed, say so, and come back to it', async () => {
    await engines.part('redis').stop();
    const { headers } = limited.plans.of('alone');
    for (const gateway of limited.gateways) {
      await eventually(async () => expect(await redisAnswers(gateway)).toBe(0));
      const answer = await gateway.ask({ path: SEARCH, headers });
      expect([answer.status, answer.headers['ratelimit-policy']]).toEqual([200, '"alone";q=60;w=60']);
      await eventually(async () => {
        const ready = await gateway.ask({ path: '/health/ready' });
        expect([ready.status, ready.json]).toEqual([
          200,
          expect.objectContaining({ dependencies: expect.objectContaining({ redis: 'down', catalog: 'up' }) }),
        ]);
      });
    }
    await engines.part('redis').start();
    for (const gateway of limited.gateways) {
      await eventually(async () => expect(await redisAnswers(gateway)).toBe(1));
      await eventually(async () => {
        const { json } = await gateway.ask({ path: '/health/ready' });
        expect(json).toMatchObject({ dependencies: { redis: 'up' } });
      });
    }
  });
});
