import type { Relation } from '../operators.js';
import type { RangeNode, ValueNode } from '../parse/nodes.js';
import type { Comparison, TypeRule } from './comparison.js';
import { type Period, periodOf } from './date-literal.js';
import type { Bounds, CheckedNode } from './nodes.js';

/** The times that the index can compare with, and that are written with a year of four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** How a time compares with a period: after it means from its end on, up to it means before its end. */
const BOUNDS: Readonly<Record<Relation, (period: Period) => Bounds>> = {
  '>': ({ end }) => ({ gte: end }),
  '>=': ({ start }) => ({ gte: start }),
  '<': ({ start }) => ({ lt: start }),
  '<=': ({ end }) => ({ lt: end }),
};

/** A literal names a period as long as its precision, in UTC; equality means "within it". */
export const DATE: TypeRule = {
  equals: (comparison, node) => {
    const period = readPeriod(comparison, node);
    return period && bounded(comparison, node, node, { gte: period.start, lt: period.end });
  },
  matches: (comparison, value) => comparison.fail('pattern', value),
  compares: (comparison, node, relation) => {
    const period = readPeriod(comparison, node);
    return period && bounded(comparison, node, node, BOUNDS[relation](period));
  },
  inRange,
};

function inRange(comparison: Comparison, range: RangeNode): CheckedNode | undefined {
  const { low, high } = range;
  const lowest = low && readPeriod(comparison, low);
  const highest = high && readPeriod(comparison, high);
  if ((low && !lowest) || (high && !highest)) return undefined;
  const gte = range.aboveLow ? lowest?.end : lowest?.start;
  const lt = range.belowHigh ? highest?.start : highest?.end;
  if (gte !== undefined && lt !== undefined && gte >= lt) return comparison.fail('emptyRange', range);
  return bounded(comparison, low, high, { ...(gte !== undefined && { gte }), ...(lt !== undefined && { lt }) });
}

function readPeriod(comparison: Comparison, value: ValueNode): Period | undefined {
  const period = periodOf(value.text);
  if (typeof period !== 'string') return period;
  return comparison.fail(period === 'form' ? 'date' : 'calendar', value);
}

/** Makes the condition if the index can hold its bounds; an end past its last time is that time. */
function bounded(
  comparison: Comparison,
  low: ValueNode | undefined,
  high: ValueNode | undefined,
  bounds: Bounds,
): CheckedNode | undefined {
  const { field } = comparison;
  const far = isComparable(bounds.gte) ? high : low;
  if (far === undefined || (isComparable(bounds.gte) && isComparable(bounds.lt))) {
    return { kind: 'range', field, bounds };
  }
  const { lt, ...rest } = bounds;
  if (lt !== undefined && lt > LAST && isComparable(rest.gte)) {
    return { kind: 'range', field, bounds: { ...rest, lte: LAST } };
  }
  return comparison.fail('years', far);
}

function isComparable(time: number | undefined): boolean {
  return time === undefined || (time >= FIRST && time <= LAST);
}
