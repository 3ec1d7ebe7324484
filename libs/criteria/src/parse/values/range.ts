import type { Span } from '../../errors/criteria-error.js';
import { CODE } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { RangeNode, ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { readValue, refuseNull, startsValue } from './value.js';

const RANGE_SIGN = '..';

/** `a..b`, `a..`, `..b`, without blanks around the dots; `*` is an open side too. */
export function readRange(cursor: Cursor, position: number, low: ValueNode | undefined): RangeNode {
  if (low !== undefined) refuseNull(low);
  cursor.at += RANGE_SIGN.length;
  const high = startsValue(cursor) ? readValue(cursor, RANGE_SIGN) : undefined;
  const sides = { low: closed(low), high: closed(high), aboveLow: false, belowHigh: false };
  return bounded({ kind: 'range', form: 'dots', ...sides, ...cursor.spanFrom(position) });
}

/** Whether `..` stands ahead. */
export function isRangeSign(cursor: Cursor): boolean {
  return cursor.code() === CODE.dot && cursor.code(1) === CODE.dot;
}

/** The bound of a side; none when it is a `*` by itself. */
export function closed(bound: ValueNode | undefined): ValueNode | undefined {
  return bound?.pattern === '*' ? undefined : bound;
}

/** Lets a range pass that has at least one bound. */
export function bounded(range: RangeNode): RangeNode {
  if (range.low === undefined && range.high === undefined) throw unbounded(range);
  return range;
}

function unbounded(span: Span): Error {
  const hint = 'write a..b, a.. or ..b; for any value at all write field exists';
  return mistake('EMPTY_RANGE', span, 'a range needs at least one bound', { hint });
}
