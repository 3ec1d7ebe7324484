import type { LoadReport } from '../load/load.js';
import { type Goal, type Row, rowOf } from '../results.js';

/** What both sides have measured, round by round. */
export interface BothSides {
  readonly ours: readonly LoadReport[];
  readonly baseline: readonly LoadReport[];
}

const SHARED = { bench: 'search', against: 'straight to OpenSearch' } as const;
const ADDED = { atMost: 1.5 } as const;
const FIRST = { atLeast: 0.85 } as const;
const REPEATED = { atLeast: 5 } as const;

/** What the gateway and the catalog add where OpenSearch must be asked. */
export function firstTimeRows(level: number, both: BothSides): Row[] {
  const what = `search, first time, ${level} at a time`;
  // One at a time nobody waits for a free processor: that is where what is added shows. With more, throughput counts.
  return [
    throughput(what, both, level === 1 ? undefined : FIRST),
    latency(what, 'p50', both, level === 1 ? ADDED : undefined),
    latency(what, 'p99', both),
  ];
}

/** The same search again and again. */
export function repeatedRows(level: number, both: BothSides): Row[] {
  const what = `search, repeated, ${level} at a time`;
  return [throughput(what, both, REPEATED), latency(what, 'p50', both), latency(what, 'p99', both)];
}

function throughput(what: string, both: BothSides, goal?: Goal): Row {
  return rowOf({ ...SHARED, what, unit: 'searches/s', ...values(both, 'perSecond'), ...(goal && { goal }) });
}

function latency(what: string, share: 'p50' | 'p99', both: BothSides, goal?: Goal): Row {
  const more = { ...SHARED, what: `${what}: ${share}`, unit: 'ms', comparison: 'difference' } as const;
  return rowOf({ ...more, ...values(both, share), ...(goal && { goal }) });
}

function values({ ours, baseline }: BothSides, of: 'perSecond' | 'p50' | 'p99') {
  return { ours: ours.map((report) => report[of]), baseline: baseline.map((report) => report[of]) };
}
