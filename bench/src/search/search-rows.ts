import type { LoadReport } from '../load/load.js';
import { type Goal, type Row, rowOf } from '../results.js';

/** The reports of both variants, by round. */
export interface Measurements {
  readonly ours: readonly LoadReport[];
  readonly baseline: readonly LoadReport[];
}

const SHARED = { bench: 'search', against: 'straight to OpenSearch' } as const;
const ADDED = { atMost: 1.5 } as const;
const FIRST = { atLeast: 0.85 } as const;
const REPEATED = { atLeast: 5 } as const;

/** The latency that the gateway and the catalog add to a search that OpenSearch must answer. */
export function firstTimeRows(level: number, measured: Measurements): Row[] {
  const what = `search, first time, ${level} at a time`;
  // With one search at a time nothing waits for a processor, so the added latency shows. With more, throughput counts.
  return [
    throughput(what, measured, level === 1 ? undefined : FIRST),
    latency(what, 'p50', measured, level === 1 ? ADDED : undefined),
    latency(what, 'p99', measured),
  ];
}

/** The rows for repetitions of one search. */
export function repeatedRows(level: number, measured: Measurements): Row[] {
  const what = `search, repeated, ${level} at a time`;
  return [throughput(what, measured, REPEATED), latency(what, 'p50', measured), latency(what, 'p99', measured)];
}

function throughput(what: string, measured: Measurements, goal?: Goal): Row {
  return rowOf({ ...SHARED, what, unit: 'searches/s', ...values(measured, 'perSecond'), ...(goal && { goal }) });
}

function latency(what: string, share: 'p50' | 'p99', measured: Measurements, goal?: Goal): Row {
  const more = { ...SHARED, what: `${what}: ${share}`, unit: 'ms', comparison: 'difference' } as const;
  return rowOf({ ...more, ...values(measured, share), ...(goal && { goal }) });
}

function values({ ours, baseline }: Measurements, of: 'perSecond' | 'p50' | 'p99') {
  return { ours: ours.map((report) => report[of]), baseline: baseline.map((report) => report[of]) };
}
