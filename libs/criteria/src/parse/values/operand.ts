import { CODE } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { OperandNode } from '../nodes.js';
import { readInterval } from './interval.js';
import { isRangeSign, readRange } from './range.js';
import { isNull, readValueOrNull } from './value.js';

const ANY: OperandNode = Object.freeze({ kind: 'any' });
const NULL: OperandNode = Object.freeze({ kind: 'null' });

/** One operand of a list or a group: it is counted, and the white space behind it passed. */
export function readEntry(cursor: Cursor, after: string): OperandNode {
  const position = cursor.at;
  const operand = readOperand(cursor, after);
  cursor.countClause(position);
  cursor.skipSpace();
  return operand;
}

/** What an equality or a list entry may ask for: a value, a range, an interval, the bare `*`, or `null`. */
export function readOperand(cursor: Cursor, after: string): OperandNode {
  const position = cursor.at;
  const code = cursor.code();
  if (code === CODE.openingBracket || code === CODE.openingBrace) return readInterval(cursor);
  if (isRangeSign(cursor)) return readRange(cursor, position, undefined);
  const value = readValueOrNull(cursor, after);
  if (isRangeSign(cursor)) return readRange(cursor, position, value);
  if (value.pattern === '*') return ANY;
  return isNull(value) ? NULL : value;
}
