import { CODE } from '../codes.js';
import type { Cursor } from '../cursor.js';
import type { OperandNode, RangeNode, ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { readValue, startsValue } from './value.js';

const RANGE_SIGN = '..';

/** What an equality or a list entry may ask for: a value, the bare `*`, or a range. */
export function readOperand(cursor: Cursor, after: string): OperandNode {
  const position = cursor.at;
  if (isRangeSign(cursor)) return readRange(cursor, position, undefined);
  const value = readValue(cursor, after);
  if (isRangeSign(cursor)) return readRange(cursor, position, value);
  return isBareStar(value) ? Object.freeze({ kind: 'any' }) : Object.freeze({ kind: 'scalar', value });
}

/** `a..b`, `a..`, `..b`, without blanks around the dots; `*` is an open side too. */
function readRange(cursor: Cursor, position: number, low: ValueNode | undefined): RangeNode {
  cursor.at += RANGE_SIGN.length;
  const high = startsValue(cursor) ? readValue(cursor, RANGE_SIGN) : undefined;
  const range: RangeNode = { kind: 'range', low: closed(low), high: closed(high), ...cursor.spanFrom(position) };
  if (range.low === undefined && range.high === undefined) {
    throw mistake('EMPTY_RANGE', range, 'a range needs at least one bound', { hint: 'write a..b, a.. or ..b' });
  }
  return Object.freeze(range);
}

function closed(bound: ValueNode | undefined): ValueNode | undefined {
  return bound === undefined || isBareStar(bound) ? undefined : bound;
}

/** `*` by itself and not escaped. */
function isBareStar(value: ValueNode): boolean {
  return value.wildcard && value.length === 1 && value.text === '*';
}

function isRangeSign(cursor: Cursor): boolean {
  return cursor.code() === CODE.dot && cursor.code(1) === CODE.dot;
}
