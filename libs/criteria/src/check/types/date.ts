import { echo } from '../../errors/echo.js';
import type { RangeNode, Relation, ValueNode } from '../../parse/nodes.js';
import type { Bounds, CheckedNode } from '../nodes.js';
import { type Period, periodOf } from './date-literal.js';
import type { Comparison, TypeRule } from './type-rule.js';

/** Years the index can compare with; the end of a period must still have four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T00:00:00.000Z');

/** How a time compares with a period: after it means from its end on, up to it means before its end. */
const RELATIONS: Readonly<Record<Relation, (period: Period) => Bounds>> = {
  gt: ({ end }) => ({ gte: end }),
  gte: ({ start }) => ({ gte: start }),
  lt: ({ start }) => ({ lt: start }),
  lte: ({ end }) => ({ lt: end }),
};

/** A literal names a period as long as its precision, in UTC; equality means "within it". */
export const DATE: TypeRule = {
  equals: (comparison, node) => {
    const period = readPeriod(comparison, node);
    return period && bounded(comparison, { gte: period.start, lt: period.end });
  },
  compares: (comparison, node, relation) => {
    const period = readPeriod(comparison, node);
    return period && bounded(comparison, RELATIONS[relation](period));
  },
  inRange: (comparison, range) => inRange(comparison, range),
};

function inRange(comparison: Comparison, range: RangeNode): CheckedNode | undefined {
  const low = range.low && readPeriod(comparison, range.low);
  const high = range.high && readPeriod(comparison, range.high);
  if ((range.low && !low) || (range.high && !high)) return undefined;
  if (low && high && low.start >= high.end) {
    return comparison.findings.add('EMPTY_RANGE', range, 'the lower bound lies above the upper bound');
  }
  return bounded(comparison, { ...(low && { gte: low.start }), ...(high && { lt: high.end }) });
}

function readPeriod({ findings }: Comparison, value: ValueNode): Period | undefined {
  const period = periodOf(value.text);
  const advice = { expectedType: 'date', hint: 'write 2022, 2022-02, 2022-02-28 or 2022-02-28T10:30:00Z' };
  if (period === 'form') return findings.add('INVALID_VALUE', value, `"${echo(value.text)}" is not a date`, advice);
  if (period === 'calendar') {
    const detail = `"${echo(value.text)}" is not a real calendar date`;
    return findings.add('INVALID_VALUE', value, detail, { expectedType: 'date' });
  }
  if (period.start >= FIRST && period.end <= LAST) return period;
  return findings.add('INVALID_VALUE', value, 'dates go from the year 0001 to 9998', { expectedType: 'date' });
}

function bounded({ field }: Comparison, bounds: Bounds): CheckedNode {
  return Object.freeze({ kind: 'range', field, bounds: Object.freeze(bounds) });
}
