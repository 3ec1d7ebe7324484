import { randomUUID } from 'node:crypto';
import type { SupervisedPart } from '@carbon/local';
import { eventually } from '@carbon/testing';
import { awaitCompleted } from './load/await-completed.js';
import { acceptedId } from './load/client.js';
import { systemWithOwnEngines, type TestSystem } from './system.js';

/** Longer than any POST may take. */
const LONGEST_POST_MS = 5_500;

let app: TestSystem;
beforeAll(async () => {
  app = await systemWithOwnEngines();
}, 240_000);
afterAll(() => app.stop(), 60_000);

/** Has something done with several parts side by side. */
async function each(parts: readonly string[], done: (part: SupervisedPart) => Promise<void>): Promise<void> {
  await Promise.all(parts.map((name) => done(app.system.part(name))));
}

describe('with PostgreSQL, OpenSearch, the offsets service and the catalog all stopped', () => {
  const apps = ['offsets', 'catalog'];
  const engines = ['postgres', 'opensearch'];
  const ids: string[] = [];

  beforeAll(async () => {
    for (const parts of [apps, engines]) await each(parts, (part) => part.stop());
  }, 60_000);

  it('POST still answers 202', async () => {
    for (let n = 0; n < 50; n += 1) {
      const answer = await app.client.createOffset({ kgCO2e: n + 1 });
      const id = answer.kind === 'answer' && answer.status === 202 ? acceptedId(answer.body) : undefined;
      ids.push(id ?? `not accepted: ${JSON.stringify(answer)}`);
    }
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^off_/)));
  });

  it('reading and searching answer 503 within seconds, and say when to come back', async () => {
    const times: number[] = [];
    for (const path of [`/v1/offsets?id=${ids[0]}`, '/v1/offsets', '/v1/assets/pools?criteria=&fullTextSearch=']) {
      const begun = performance.now();
      const answer = await app.client.get(path);
      times.push(performance.now() - begun);
      expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
      expect(answer).toMatchObject({ headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
    }
    // The gateway gives up after 1.6 s.
    expect(Math.min(...times)).toBeLessThan(2_000);
  });

  it('everything accepted completes when they return, and no id is ever not found', async () => {
    for (const parts of [engines, apps]) await each(parts, (part) => part.start());
    const report = await awaitCompleted(app.client, ids, { inFlight: 8, withinMs: 30_000 });
    expect(report).toMatchObject({ completed: ids.length, faults: [] });
  }, 120_000);
});

describe('with Kafka stopped', () => {
  const key = randomUUID();
  let retryKey: unknown;

  const timedPost = async (customerRef: string) => {
    const begun = performance.now();
    const answer = await app.client.createOffset({ kgCO2e: 3, customerRef });
    return { answer, ms: performance.now() - begun };
  };

  beforeAll(() => app.system.part('kafka').stop(), 60_000);

  it('POST answers 503 in bounded time, at its best of a few times, with a key that makes the retry safe', async () => {
    const { answer, ms } = await timedPost(key);
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      body: {
        code: expect.stringMatching(/^(not_accepted|outcome_unknown)$/),
        retryKey: expect.stringMatching(/^off_/),
      },
    });
    retryKey = answer.kind === 'answer' ? (answer.body as { retryKey: string }).retryKey : undefined;
    const others = [await timedPost('another'), await timedPost('a third')];
    expect(Math.min(ms, ...others.map((other) => other.ms))).toBeLessThan(LONGEST_POST_MS);
  });

  it('the retry under that key makes exactly one offset once Kafka is back', async () => {
    await app.system.part('kafka').start();
    // As a client does: again after what Retry-After says, for as long as Kafka takes to be found again.
    const accepted = await eventually(
      async () => {
        const answer = await app.client.createOffset({ kgCO2e: 3, customerRef: key }, String(retryKey));
        expect(answer).toMatchObject({ kind: 'answer', status: 202 });
        return answer;
      },
      { within: 30_000, every: 1_000 },
    );
    expect(accepted.kind === 'answer' && acceptedId(accepted.body)).toBe(retryKey);
    const report = await awaitCompleted(app.client, [String(retryKey)], { inFlight: 1, withinMs: 30_000 });
    expect(report).toMatchObject({ completed: 1, faults: [] });
    const list = await app.client.get('/v1/offsets?limit=100');
    const offsets = list.kind === 'answer' ? (list.body as { customerRef?: string }[]) : [];
    expect(offsets.filter(({ customerRef }) => customerRef === key)).toHaveLength(1);
  }, 90_000);
});

it('leaves every gram accounted for and no dead letter', async () => {
  await expect(app.audit()).resolves.toBeUndefined();
  expect(await app.deadLetters()).toEqual({});
});
