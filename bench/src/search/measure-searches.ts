import type { CpuMeter } from '../cpu.js';
import { type LoadRequest, loadReport } from '../load/load.js';
import type { Worker } from '../processes.js';
import type { Row } from '../results.js';
import type { BenchOptions } from '../stage.js';
import { alternate } from '../statistics.js';
import { REPEATED } from './queries.js';
import {
  firstTimeRows,
  LEVELS,
  type MeasuredLoad,
  type Measurements,
  repeatedRows,
  type SearchGoals,
} from './search-rows.js';

/** One path to OpenSearch, and the processor time of the processes on it. */
export interface SearchPath {
  readonly origin: string;
  readonly requests: readonly LoadRequest[];
  readonly cpu: CpuMeter;
}

/** The two paths to one library. */
export interface SearchPaths {
  readonly gateway: SearchPath;
  readonly direct: SearchPath;
}

/** A library in the rows. */
export interface MeasuredLibrary {
  readonly name: string;
  readonly goals: SearchGoals;
}

/** OpenSearch compiles its code for one or two minutes under load, and a search then costs it a quarter. */
const WARM_UP_ROUNDS = { most: 60, withoutProgress: 6, ofBoth: 4 } as const;
/** Progress is a share less processor time for a search than before. */
const PROGRESS = 0.02;

type Send = (path: SearchPath, connections: number) => Promise<MeasuredLoad>;

/** Measures both paths, in alternating rounds: first-time searches at each level, then one search repeatedly. */
export async function measureSearches(
  paths: SearchPaths,
  { name, goals }: MeasuredLibrary,
  generator: Worker,
  options: BenchOptions,
): Promise<Row[]> {
  const send = sender(generator, options);
  options.report(`search, ${name}: warming up`);
  await warmUp(paths, send);
  const rows: Row[] = [];
  for (const level of Object.values(LEVELS)) {
    options.report(`search, first time, ${name}, ${level} at a time`);
    await alternating(paths, send, level, 1);
    rows.push(...firstTimeRows(name, level, await alternating(paths, send, level, options.rounds), goals));
  }
  // The same number in every request, so that caches can respond.
  const again = { gateway: only(paths.gateway), direct: only(paths.direct) };
  options.report(`search, repeated, ${name}, ${LEVELS.busy} at a time`);
  await alternating(again, send, LEVELS.busy, 1);
  const repeated = await alternating(again, send, LEVELS.busy, options.rounds);
  return [...rows, ...repeatedRows(name, LEVELS.busy, repeated, goals)];
}

/** Sends searches to OpenSearch until its processor time for one does not fall any more, then some by both paths. */
async function warmUp(paths: SearchPaths, send: Send): Promise<void> {
  let lowest = Number.POSITIVE_INFINITY;
  let since = 0;
  for (let round = 1; round <= WARM_UP_ROUNDS.most && since < WARM_UP_ROUNDS.withoutProgress; round += 1) {
    const { cpu } = await send(paths.direct, LEVELS.busy);
    const time = cpu.OpenSearch ?? Number.NaN;
    since += 1;
    if (time < (1 - PROGRESS) * lowest) [lowest, since] = [time, 0];
  }
  await alternating(paths, send, LEVELS.busy, WARM_UP_ROUNDS.ofBoth);
}

/** Returns a function that sends for the duration of a slice; no two requests of the run have the same number. */
function sender(generator: Worker, { sliceMs, signal }: BenchOptions): Send {
  let used = 0;
  return async ({ origin, requests, cpu }, connections) => {
    signal.throwIfAborted();
    const question = { origin, requests, connections, ms: sliceMs, from: used };
    const report = await cpu.during(() => generator.ask(question, loadReport));
    used += report.count + connections;
    return report;
  };
}

function alternating(
  { gateway, direct }: SearchPaths,
  send: Send,
  level: number,
  rounds: number,
): Promise<Measurements> {
  return alternate({ ours: () => send(gateway, level), baseline: () => send(direct, level) }, rounds);
}

function only(path: SearchPath): SearchPath {
  const request = path.requests[REPEATED];
  if (request === undefined) throw new RangeError(`There is no search ${REPEATED}.`);
  const fixed = (text: string) => text.replaceAll('{n}', '500000');
  const { path: address, body } = request;
  return {
    ...path,
    requests: [{ ...request, path: fixed(address), ...(body !== undefined && { body: fixed(body) }) }],
  };
}
