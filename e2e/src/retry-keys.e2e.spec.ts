import { randomUUID } from 'node:crypto';
import { eventually } from '@carbon/testing';
import { eventIdsByOffset } from './events.js';
import { awaitCompleted } from './load/await-completed.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

/** Longer than any POST may take. */
const LONGEST_POST_MS = 5_500;

/** A request that was answered with 503. */
interface Refused {
  readonly body: { readonly kgCO2e: number; readonly customerRef: string };
  readonly code: string;
  readonly retryKey: string;
  readonly ms: number;
}

let app: TestSystem;
let refs = 0;
/** The ids of all that was accepted in the end. */
const accepted: string[] = [];

beforeAll(async () => {
  app = await systemOnSharedEngines({ ownKafka: true, apps: { catalog: { instances: 0 } } });
}, 120_000);
afterAll(() => app.stop(), 60_000);

async function refused(key?: string): Promise<Refused> {
  refs += 1;
  const body = { kgCO2e: refs, customerRef: `refused-${refs}` };
  const begun = performance.now();
  const answer = await app.client.createOffset(body, key);
  const ms = performance.now() - begun;
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
  const { code, retryKey } = answer.kind === 'answer' ? (answer.body as Refused) : { code: '', retryKey: '' };
  expect(retryKey).toEqual(key ?? expect.stringMatching(/^off_[0-9a-z]{26}$/));
  return { body, code, retryKey, ms };
}

/** The best of several times: a stall of the machine must not fail a promise. */
function leastMs(refused: readonly Refused[]): number {
  return Math.min(...refused.map(({ ms }) => ms));
}

/** Sends it again under its retryKey until it is accepted, and keeps its id. */
async function retried({ body, retryKey }: Omit<Refused, 'ms'>): Promise<void> {
  const send = () => app.carbon.offsets.create(body, { idempotencyKey: retryKey });
  const { id } = await eventually(send, { within: 30_000 });
  if (retryKey.startsWith('off_')) expect(id).toBe(retryKey);
  accepted.push(id);
}

/** Another wish under the retryKey is refused as long as the first is remembered. */
async function expectTaken({ body, retryKey }: Refused): Promise<void> {
  const another = app.carbon.offsets.create({ ...body, kgCO2e: 1_000 }, { idempotencyKey: retryKey });
  await expect(another).rejects.toMatchObject({ name: 'IdempotencyKeyReusedError', status: 422 });
}

async function customerRefs(): Promise<(string | undefined)[]> {
  const { items } = await app.carbon.offsets.list({ limit: 100 }).page();
  return items.map(({ customerRef }) => customerRef);
}

describe('with Kafka stopped in its tracks, so that nobody knows what it did with a request', () => {
  let unknown: Refused[];

  it('POST answers outcome_unknown in bounded time, with a key for the retry', async () => {
    await retried({ body: { kgCO2e: 1, customerRef: 'before' }, code: '', retryKey: randomUUID() });
    await app.system.part('kafka').kill('SIGSTOP');
    unknown = await Promise.all([refused(), refused(), refused('a-key-of-the-callers')]);
    expect(unknown.map(({ code }) => code)).toEqual(unknown.map(() => 'outcome_unknown'));
    expect(leastMs(unknown)).toBeLessThan(LONGEST_POST_MS);
    for (const one of unknown) await expectTaken(one);
  });

  it('the retry under that key is accepted once Kafka goes on', async () => {
    await app.system.part('kafka').kill('SIGCONT');
    for (const one of unknown) await retried(one);
  }, 60_000);
});

describe('with Kafka away, so that nothing is sent', () => {
  const away: Refused[] = [];
  const withCode = (code: string) => away.filter((one) => one.code === code);

  it('POST answers not_accepted in bounded time, with a key for the retry', async () => {
    await app.system.part('kafka').stop();
    for (let tries = 0; tries < 6 && withCode('not_accepted').length === 0; tries += 1) away.push(await refused());
    away.push(...(await Promise.all([refused(), refused('another-key-of-the-callers'), refused()])));
    expect(withCode('not_accepted').length).toBeGreaterThanOrEqual(4);
    expect(withCode('not_accepted').length + withCode('outcome_unknown').length).toBe(away.length);
    expect(leastMs(away)).toBeLessThan(LONGEST_POST_MS);
    for (const one of away) await expectTaken(one);
  }, 60_000);

  it('the retry is accepted once Kafka is back, also by a gateway that remembers nothing', async () => {
    await app.system.part('kafka').start();
    const gateway = app.system.part('gateway');
    await gateway.kill('SIGKILL');
    await gateway.ready();
    for (const one of away.slice(0, -1)) await retried(one);
  }, 90_000);

  it('what was not accepted and not sent again is nowhere', async () => {
    const report = await awaitCompleted(app.client, accepted, { inFlight: 4, withinMs: 30_000 });
    expect(report).toMatchObject({ completed: accepted.length, faults: [] });
    const [forgone] = away.slice(-1);
    expect(forgone?.code).toBe('not_accepted');
    expect(await customerRefs()).not.toContain(forgone?.body.customerRef);
    expect(await app.carbon.offsets.receipt(String(forgone?.retryKey))).toMatchObject({ entries: [] });
  }, 60_000);
});

describe('after all that', () => {
  it('there is one offset for each request, and one event for each offset', async () => {
    const refsFound = await customerRefs();
    expect(refsFound).toHaveLength(accepted.length);
    expect(new Set(refsFound).size).toBe(accepted.length);
    await eventually(
      async () => {
        const events = await eventIdsByOffset(app.kafka, 'offset.completed');
        expect([...events.keys()].sort()).toEqual([...accepted].sort());
        for (const eventIds of events.values()) expect(eventIds.size).toBe(1);
      },
      { within: 30_000 },
    );
  }, 60_000);

  it('every gram is accounted for, and nothing is in a dead-letter topic', async () => {
    await expect(app.audit()).resolves.toBeUndefined();
    expect(await app.deadLetters()).toEqual({});
  });
});
