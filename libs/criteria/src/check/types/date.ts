import { echo } from '../../errors/echo.js';
import type { RangeNode, Relation, ValueNode } from '../../parse/nodes.js';
import type { Bounds, CheckedNode } from '../nodes.js';
import { dateHint } from './date-hint.js';
import { type Period, periodOf } from './date-literal.js';
import { refusePattern } from './pattern.js';
import type { Comparison, TypeRule } from './type-rule.js';

/** Times the index can compare with, and that are written with a year of four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

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
    return period && bounded(comparison, node, node, { gte: period.start, lt: period.end });
  },
  resembles: refusePattern('a part names its whole period: write 2022-02, or a range such as 2022-02..2022-06'),
  compares: (comparison, node, relation) => {
    const period = readPeriod(comparison, node);
    return period && bounded(comparison, node, node, RELATIONS[relation](period));
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
  if (gte !== undefined && lt !== undefined && gte >= lt) {
    return comparison.findings.add('EMPTY_RANGE', range, 'no time lies between the bounds');
  }
  return bounded(comparison, low, high, { ...(gte !== undefined && { gte }), ...(lt !== undefined && { lt }) });
}

function readPeriod({ findings }: Comparison, value: ValueNode): Period | undefined {
  const period = periodOf(value.text);
  if (typeof period !== 'string') return period;
  const isForm = period === 'form';
  const detail = `"${echo(value.text)}" is not a ${isForm ? 'date' : 'real calendar date'}`;
  const hint = isForm ? { hint: dateHint(value.text) } : {};
  return findings.add('INVALID_VALUE', value, detail, { expectedType: 'date', ...hint });
}

/** The condition, when the index can hold its bounds; an end past its last time is that time. */
function bounded(
  { field, findings }: Comparison,
  low: ValueNode | undefined,
  high: ValueNode | undefined,
  bounds: Bounds,
): CheckedNode | undefined {
  const far = isComparable(bounds.gte) ? high : low;
  if (far === undefined || (isComparable(bounds.gte) && isComparable(bounds.lt))) {
    return { kind: 'range', field, bounds };
  }
  const { lt, ...rest } = bounds;
  if (lt !== undefined && lt > LAST && isComparable(rest.gte)) {
    return { kind: 'range', field, bounds: { ...rest, lte: LAST } };
  }
  return findings.add('INVALID_VALUE', far, 'dates go from the year 0001 to 9999', { expectedType: 'date' });
}

function isComparable(time: number | undefined): boolean {
  return time === undefined || (time >= FIRST && time <= LAST);
}
