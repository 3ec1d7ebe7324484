import { type CpuTimes, cpuRows } from '../cpu.js';
import type { LoadReport } from '../load/load.js';
import { type Compared, type Goal, type Row, rowOf, valuesOf } from '../results.js';

/** A load, and the processor time of each process per response, in microseconds. */
export type MeasuredLoad = LoadReport & { readonly cpu: CpuTimes };

/** The loads of both variants, by round. */
export type Measurements = Compared<MeasuredLoad>;

/** The goals of the searches of one library. */
export interface SearchGoals {
  /** Throughput of first-time searches at the second of {@link LEVELS}. */
  readonly firstTime: Goal;
  /** Throughput of a repeated search at that level. */
  readonly repeated: Goal;
}

/** The numbers of concurrent requests. With one, nothing waits for a processor, so the added latency shows. */
export const LEVELS = { alone: 1, busy: 16 } as const;

const AGAINST = 'OpenSearch directly';
const ADDED_MS = { atMost: 1.2 } as const;
const NAMES = { gateway: 'the gateway', catalog: 'the catalog', OpenSearch: 'OpenSearch' };

/** Returns the rows of searches that OpenSearch must answer. @param library its name in the rows */
export function firstTimeRows(library: string, level: number, measured: Measurements, goals: SearchGoals): Row[] {
  const what = `search, first time, ${library}, ${level} at a time`;
  const isAlone = level === LEVELS.alone;
  return [
    throughput(what, measured, isAlone ? undefined : goals.firstTime),
    latency(what, 'p50', measured, isAlone ? ADDED_MS : undefined),
    latency(what, 'p99', measured),
    ...cpu(what, measured),
  ];
}

/** Returns the rows of repetitions of one search. */
export function repeatedRows(library: string, level: number, measured: Measurements, goals: SearchGoals): Row[] {
  const what = `search, repeated, ${library}, ${level} at a time`;
  return [
    throughput(what, measured, goals.repeated),
    latency(what, 'p50', measured),
    latency(what, 'p99', measured),
    ...cpu(what, measured),
  ];
}

function throughput(what: string, measured: Measurements, goal?: Goal): Row {
  const row = { bench: 'search', what, unit: 'searches/s', against: AGAINST };
  return rowOf({ ...row, ...valuesOf(measured, 'perSecond'), ...(goal && { goal }) });
}

function latency(what: string, share: 'p50' | 'p99', measured: Measurements, goal?: Goal): Row {
  const row = { bench: 'search', what: `${what}: ${share}`, unit: 'ms', against: AGAINST } as const;
  return rowOf({ ...row, comparison: 'difference', ...valuesOf(measured, share), ...(goal && { goal }) });
}

function cpu(what: string, measured: Measurements): Row[] {
  return cpuRows({ bench: 'search', what, against: AGAINST }, NAMES, measured);
}
