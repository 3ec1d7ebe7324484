import { randomUUID } from 'node:crypto';
import { committedPositions, topicEnds } from '@carbon/messaging';
import { eventually, metricValue, readExposition } from '@carbon/testing';
import { awaitCompleted } from './load/await-completed.js';
import { Gateways } from './load/client.js';
import { type PostReport, postOffsets } from './load/post-offsets.js';
import { eventIdsByOffset } from './testing/outcomes.js';
import { systemOnSharedEngines, type TestSystem } from './testing/system.js';
import { WitnessRegistry } from './testing/witness-registry.js';

/** Two of each share the load. */
const GATEWAYS = ['gateway', 'gateway-2'];
const OFFSETS = ['offsets', 'offsets-2'] as const;
const PER_SECOND = 50;
const REGISTRY_ANSWERS_AFTER_MS = 50;
/** The registry calls of one process at a time, so the maximum of its claims. */
const HELD_BY_EACH = 16;
/**
 * The time until another process has taken over: the lease (8 s) or the session (10 s) has to expire, and a busy
 * machine adds some seconds. With the defaults of kafkajs it would be 30 s.
 */
const TAKEN_OVER_TIMEOUT_MS = 20_000;
/** The same on a busy machine. */
const TIMEOUT_MS = 60_000;

const registry = new WitnessRegistry(REGISTRY_ANSWERS_AFTER_MS);
const ending = new AbortController();
let app: TestSystem;
let gateways: Gateways;
let load: Promise<PostReport>;
let accepted = 0;
/** How long each took to take over, and to continue reading, in ms. */
const takenOverMs: number[] = [];
const readOnMs: number[] = [];

beforeAll(async () => {
  const environment = { REGISTRY_URL: await registry.start(), REGISTRY_CONCURRENCY: String(HELD_BY_EACH) };
  const apps = { gateway: { instances: 2 }, offsets: { instances: 2, environment }, catalog: { instances: 0 } };
  app = await systemOnSharedEngines({ apps });
  gateways = new Gateways(GATEWAYS.map(urlOf), 32);
  load = postOffsets(gateways, {
    count: 100_000,
    inFlight: 32,
    perSecond: PER_SECOND,
    weight: (n) => n + 0.5,
    run: randomUUID(),
    giveUpAfterMs: 15 * 60_000,
    readBackEvery: 10,
    signal: ending.signal,
    onProgress: (so) => {
      accepted = so;
    },
  });
}, 120_000);
afterAll(async () => {
  ending.abort();
  await load;
  await gateways.close();
  await app.stop();
  await registry.stop();
}, 180_000);

function urlOf(part: string): string {
  return app.system.part(part).url ?? `${part} has no address`;
}

/** Returns the sum of a metric of one process, over the given labels. */
async function figure(part: string, name: string, labels: Record<string, string>): Promise<number> {
  const response = await fetch(`${urlOf(part)}/metrics`);
  return metricValue(readExposition(await response.text()), name, labels) ?? 0;
}

const recordedBy = (part: string) => figure(part, 'carbon_offsets_recorded_total', { status: 'queued' });
const retiredBy = (part: string) => figure(part, 'carbon_offsets_registry_attempts_total', { outcome: 'retired' });
const acceptedBy = (part: string) => figure(part, 'carbon_gateway_offsets_accepted_total', { replayed: 'false' });

/** Expects that each of these has done a considerable part of the work. */
async function expectShared(parts: readonly string[], done: (part: string) => Promise<number>): Promise<void> {
  const metrics = await Promise.all(parts.map(done));
  const sum = metrics.reduce((a, b) => a + b);
  expect(sum).toBeGreaterThan(0);
  for (const one of metrics) expect(one).toBeGreaterThan(sum / 5);
}

/** Prints a few ids that are in only one of two sets, and not the thousands that are in both. */
function expectSame(one: Iterable<string>, other: Iterable<string>): void {
  const [a, b] = [new Set(one), new Set(other)];
  const [more, less] = [without(a, b), without(b, a)];
  expect([more.length, less.length, more.slice(0, 3), less.slice(0, 3)]).toEqual([0, 0, [], []]);
}

const without = (those: ReadonlySet<string>, others: ReadonlySet<string>) => [...those].filter((id) => !others.has(id));

/** Waits until the group has consumed every message that was on the topic at the call, in every partition. */
async function groupHasCaughtUp(): Promise<void> {
  const { kafka } = app;
  const ends = await topicEnds(kafka, 'offset.requested');
  const caughtUp = async () => {
    const committed = await committedPositions(kafka, 'offsets.requests', 'offset.requested');
    const positions = new Map(committed.map(({ partition, position }) => [partition, position ?? 0n]));
    const behind = ends.filter(({ partition, begin, end }) => begin < end && (positions.get(partition) ?? 0n) < end);
    expect(behind).toEqual([]);
  };
  await eventually(caughtUp, { within: TIMEOUT_MS, every: 100 });
}

/** Returns how long after a moment each of these offsets was claimed again from the killed process, in ms. */
async function askedAgain(left: readonly string[], since: number): Promise<number[]> {
  const looked = registry.calls.length;
  return eventually(
    () => {
      const calls = registry.calls.slice(looked).filter(({ offset }) => left.includes(offset));
      const firsts = new Map(calls.reverse().map(({ offset, at }) => [offset, at - since]));
      expect(firsts.size).toBe(left.length);
      return [...firsts.values()];
    },
    { within: TIMEOUT_MS, every: 100 },
  );
}

/** Runs `work` when more offsets are claimed than one process can claim, so that both have some. */
async function whileBothHold(happens: (held: ReadonlySet<string>) => Promise<void>): Promise<void> {
  registry.hold();
  try {
    await eventually(() => expect(registry.waiting.size).toBeGreaterThan(HELD_BY_EACH));
    await happens(registry.waiting);
  } finally {
    registry.release();
  }
}

describe('two gateways and two processes of the offsets service, under load', () => {
  it('share the work', async () => {
    await eventually(() => expect(accepted).toBeGreaterThan(5 * PER_SECOND), { within: TIMEOUT_MS });
    for (const [parts, done] of [[GATEWAYS, acceptedBy] as const, [OFFSETS, recordedBy], [OFFSETS, retiredBy]] as const)
      await eventually(() => expectShared(parts, done), { within: TIMEOUT_MS, every: 500 });
  });

  it('continue when one is killed with -9: the other takes over its leases and partitions', async () => {
    const dead = app.system.part('offsets');
    let killedAt = 0;
    let left: readonly string[] = [];
    await whileBothHold(async (held) => {
      killedAt = performance.now();
      await dead.kill('SIGKILL');
      await dead.stop();
      await eventually(() => expect(registry.waiting.size).toBeLessThanOrEqual(HELD_BY_EACH));
      left = without(held, registry.waiting);
    });
    expect(left.length).toBeGreaterThan(0);
    const read = groupHasCaughtUp().then(() => performance.now() - killedAt);
    const again = await askedAgain(left, killedAt);
    takenOverMs.push(Math.min(...again));
    readOnMs.push(await read);
  }, 120_000);

  it('share the work again when it is back', async () => {
    await app.system.part('offsets').start();
    await eventually(async () => expect(await recordedBy('offsets')).toBeGreaterThan(0), { within: TIMEOUT_MS });
    await eventually(async () => expect(await retiredBy('offsets')).toBeGreaterThan(0), { within: TIMEOUT_MS });
  }, 150_000);

  it('continue while one is suspended past its lease and its session, and a gateway is killed', async () => {
    const paused = app.system.part('offsets-2');
    let pausedAt = 0;
    let held: ReadonlySet<string> = new Set();
    await whileBothHold(async (those) => {
      pausedAt = performance.now();
      await paused.kill('SIGSTOP');
      held = those;
    });
    const looked = registry.calls.length;
    const gateway = app.system.part('gateway-2');
    await gateway.kill('SIGKILL');
    await gateway.ready();
    const read = groupHasCaughtUp().then(() => performance.now() - pausedAt);
    const report = await awaitCompleted(gateways, held, { inFlight: 8, timeoutMs: TIMEOUT_MS });
    expect(report).toMatchObject({ completed: held.size, errors: [] });
    takenOverMs.push(performance.now() - pausedAt);
    expect(registry.calls.slice(looked).some(({ offset }) => held.has(offset))).toBe(true);
    readOnMs.push(await read);
  }, 120_000);

  it('take over soon after lease and session have expired, at the best of both times', () => {
    expect(Math.min(...takenOverMs)).toBeLessThan(TAKEN_OVER_TIMEOUT_MS);
    expect(Math.min(...readOnMs)).toBeLessThan(TAKEN_OVER_TIMEOUT_MS);
  });

  it('accept the suspended process again when it continues, and its late writes change nothing', async () => {
    const sleeper = app.system.part('offsets-2');
    const exits = sleeper.exits;
    await sleeper.kill('SIGCONT');
    const before = await eventually(() => recordedBy('offsets-2'));
    await eventually(async () => expect(await recordedBy('offsets-2')).toBeGreaterThan(before), { within: TIMEOUT_MS });
    expect(sleeper.exits).toBe(exits);
  });
});

describe('after all of these failures', () => {
  let ids: string[];

  beforeAll(async () => {
    ending.abort();
    const { accepted: posted, errors } = await load;
    expect(errors).toEqual([]);
    ids = [...posted.values()];
    expect(new Set(ids).size).toBe(ids.length);
  }, 180_000);

  it('every accepted offset is completed', async () => {
    const { completed, errors } = await awaitCompleted(gateways, ids, { inFlight: 32, timeoutMs: 120_000 });
    expect([completed, errors]).toEqual([ids.length, []]);
  }, 180_000);

  it('each offset was retired once, and published in one event', async () => {
    expect(registry.violations).toEqual([]);
    expectSame(registry.ledger.keys(), ids);
    await eventually(
      async () => {
        const events = await eventIdsByOffset(app.kafka, 'offset.completed');
        expectSame(events.keys(), ids);
        for (const [id, eventIds] of events) expect([...eventIds]).toEqual([`${id}.offset.completed.v1`]);
      },
      { within: 120_000, every: 1_000 },
    );
    expect(await eventIdsByOffset(app.kafka, 'offset.failed')).toEqual(new Map());
  }, 180_000);

  it('every gram is accounted for, and no dead-letter topic has a message', async () => {
    await expect(app.audit()).resolves.toBeUndefined();
    expect(await app.deadLetters()).toEqual({});
  }, 180_000);
});
