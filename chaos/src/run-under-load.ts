import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';
import type { Findings } from './judge/counts.js';
import { type Clients, judge } from './judge/judge.js';
import { Observer } from './load/observer.js';
import { OffsetLoad } from './load/offset-load.js';
import { SearchLoad } from './load/search-load.js';
import { Random } from './random.js';
import type { ChaosSystem } from './system/chaos-system.js';

/** The result of one fault. */
export interface FaultResult {
  readonly fault: string;
  /** Seconds since the start of the load. */
  readonly at: number;
  /** From the first break to the last repair, ms. */
  readonly lastedMs: number;
  /**
   * From the last repair until an offset was accepted and ended, and a search succeeded; ms. Undefined: not in time.
   */
  readonly recoveredMs: number | undefined;
}

/** The result of a run. */
export interface Outcome {
  readonly findings: Findings;
  readonly faults: readonly FaultResult[];
  /** Outcomes that were seen and changed, as an older database allows (docs/restore.md). */
  readonly explainedChanges: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly seconds: number;
}

/** The system, the faults and the load. */
export interface RunOptions {
  readonly system: ChaosSystem;
  readonly schedule: readonly Fault[];
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Receives the current step. */
  readonly say: (step: string) => void;
}

const BASELINE_MS = 3_000;
/** Between two faults; the system must serve again before. */
const REST_MS = [500, 3_000] as const;
const INJECTED_TIMEOUT_MS = 300_000;
/** An interrupted fault. */
const END_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const READERS = 8;
/** 8 readers read about 400 offsets a second on a busy machine, and a run has up to 75,000. */
const READ_TIMEOUT_MS = 600_000;

/**
 * Injects the faults one after the other while clients post, read and search; then waits for all outcomes, and checks
 * them.
 */
export async function runUnderLoad(options: RunOptions): Promise<Outcome> {
  const { system, seed } = options;
  const begun = performance.now();
  const clients = startClients(system, seed);
  try {
    const faults = await injectAll(options, clients, begun);
    options.say('waiting until everything has ended');
    await drain(system, clients, options.signal);
    options.say('stopping the apps');
    await system.stop();
    options.say('comparing what clients, the database and Kafka say');
    const findings = await judge(system, clients);
    for (const { fault, recoveredMs } of faults) if (recoveredMs === undefined) findings.add('unserved', fault);
    return {
      findings,
      faults,
      explainedChanges: clients.observer.changes.filter(({ seenAt }) => system.isAllowed('changed', seenAt)).length,
      answers: Object.fromEntries(clients.load.answers),
      longestMs: Math.round(clients.load.longestMs),
      seconds: Math.round((performance.now() - begun) / 1_000),
    };
  } finally {
    await Promise.all([clients.observer.stop(), clients.search.stop(), clients.load.close()]);
  }
}

/** Each with its own random numbers, so that the number of requests does not change the order of the faults. */
function startClients(system: ChaosSystem, seed: number): Clients {
  const { perSecond, inFlight } = system.shape;
  const { gateways } = system.apps;
  const load: OffsetLoad = new OffsetLoad({
    ...{ gateways, perSecond, inFlight, random: new Random(seed + 1) },
    onAccepted: (id) => observer.watch(id),
  });
  const get = (path: string) => load.get(path);
  const observer = new Observer(get, new Random(seed + 2));
  const search = new SearchLoad(get, new Random(seed + 3));
  for (const client of [load, observer, search]) client.start();
  return { load, observer, search };
}

async function injectAll(options: RunOptions, clients: Clients, begun: number): Promise<FaultResult[]> {
  const { system, schedule, seed, signal, say } = options;
  const random = new Random(seed);
  const pause = async (ms: number) => {
    await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  };
  const ended = Promise.race([system.apps.running.failed.then((reason) => Promise.reject(reason)), aborted(signal)]);
  // A rejection between two faults is thrown with the next one.
  ended.catch(() => {});
  const results: FaultResult[] = [];
  await pause(BASELINE_MS);
  for (const [at, fault] of schedule.entries()) {
    const report = (state: string) =>
      say(`${at + 1} of ${schedule.length} ${fault.name}: ${state}; ${clients.load.attempts.length} offsets requested`);
    report(fault.does);
    const from = performance.now();
    const injecting = fault.inject({ system, ...clients, random, pause });
    try {
      await Promise.race([injecting, ended, tooLong(fault)]);
    } catch (error) {
      // It ends at its next pause; until then it would restart what is being stopped.
      await Promise.race([injecting.catch(() => {}), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
      throw error;
    }
    const repaired = performance.now();
    report('repaired, waiting until it serves');
    const serves = await awaitService(clients, system.shape.servesWithinMs, signal);
    const recoveredMs = serves ? Math.round(performance.now() - repaired) : undefined;
    const lastedMs = Math.round(repaired - from);
    results.push({ fault: fault.name, at: Math.round((from - begun) / 1_000), lastedMs, recoveredMs });
    await pause(random.whole(...REST_MS));
  }
  return results;
}

/** Returns whether an offset is accepted and completed and an asset found in time. */
async function awaitService(
  { load, observer, search }: Clients,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const inTime = () => performance.now() < deadline && !signal.aborted;
  for (let status: string | undefined; inTime() && status !== 'completed'; ) {
    let id: string | undefined;
    void load.one().then((accepted) => {
      id = accepted;
    });
    while (inTime() && (id === undefined || !(await observer.look(id)))) await sleep(POLL_MS);
    status = observer.seen.get(id ?? '')?.status;
  }
  while (inTime() && !(await search.look())) await sleep(POLL_MS);
  signal.throwIfAborted();
  return performance.now() < deadline;
}

/**
 * Ends the load, and reads every accepted offset once more, because a restore may have changed what a client saw. Reads
 * the others until they have an outcome, and waits until every outcome is published, as long as that may take.
 */
async function drain(system: ChaosSystem, { load, observer, search }: Clients, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + system.shape.drainMs;
  const inTime = () => performance.now() < deadline && !signal.aborted;
  await search.stop();
  await Promise.race([load.stop(system.shape.drainMs), aborted(signal)]);
  await observer.stop();
  const waiting = load.attempts.flatMap(({ ids }) => [...ids]);
  const reader = async () => {
    for (let id = waiting.pop(); id !== undefined && !signal.aborted; id = waiting.pop()) {
      if (performance.now() > deadline + READ_TIMEOUT_MS)
        throw new Error(`${waiting.length} offsets could not be read again`);
      if ((await observer.look(id)) || !inTime()) continue;
      waiting.unshift(id);
      await sleep(POLL_MS);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  const publishedBefore = performance.now() + system.shape.drainMs;
  while (performance.now() < publishedBefore && !signal.aborted && (await hasUnpublished(system))) await sleep(POLL_MS);
  signal.throwIfAborted();
}

async function hasUnpublished(system: ChaosSystem): Promise<boolean> {
  const open = `SELECT id FROM offsets WHERE announced_at IS NULL LIMIT 1`;
  return (await system.rows(open)).length > 0;
}

/** A process that does not start again would be waited for without end. */
async function tooLong({ name }: Fault): Promise<never> {
  await sleep(INJECTED_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`${name} was not over within ${INJECTED_TIMEOUT_MS / 1_000} s`);
}

function aborted(signal: AbortSignal): Promise<never> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
