import { type Goal, type Row, rowOf } from '../figures/row.js';
import type { LoadReport } from '../load/load.js';

/** What both sides have measured, round by round. */
export interface BothSides {
  readonly ours: readonly LoadReport[];
  readonly baseline: readonly LoadReport[];
}

const AGAINST = 'straight to OpenSearch';
const ADDED = { atMost: 1.5 } as const;
const FIRST = { atLeast: 0.85 } as const;
const REPEATED = { atLeast: 5 } as const;

/** Row 7: what the gateway and the catalog add where OpenSearch must be asked. */
export function firstTimeRows(level: number, both: BothSides): Row[] {
  const what = `search, first time, ${level} at a time`;
  // One at a time nobody waits for a free processor: that is where what is added shows. With more, throughput counts.
  return [
    throughput('7', what, both, level === 1 ? undefined : FIRST),
    latency('7', what, 'p50', both, level === 1 ? ADDED : undefined),
    latency('7', what, 'p99', both),
  ];
}

/** Row 8: the same search again and again. */
export function repeatedRows(level: number, both: BothSides): Row[] {
  const what = `search, repeated, ${level} at a time`;
  return [throughput('8', what, both, REPEATED), latency('8', what, 'p50', both), latency('8', what, 'p99', both)];
}

function throughput(number: string, what: string, both: BothSides, goal?: Goal): Row {
  return rowOf({ number, what, unit: '/s', against: AGAINST, ...figures(both, 'perSecond'), ...(goal && { goal }) });
}

function latency(number: string, what: string, share: 'p50' | 'p99', both: BothSides, goal?: Goal): Row {
  const more = { number, what: `${what}: ${share}`, unit: 'ms', against: AGAINST, comparison: 'difference' } as const;
  return rowOf({ ...more, ...figures(both, share), ...(goal && { goal }) });
}

function figures({ ours, baseline }: BothSides, of: 'perSecond' | 'p50' | 'p99') {
  return { ours: ours.map((report) => report[of]), baseline: baseline.map((report) => report[of]) };
}
