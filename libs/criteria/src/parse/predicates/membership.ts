import { CODE } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, OperandNode, PredicateNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { unexpected } from '../unexpected.js';
import { readEntry } from '../values/operand.js';
import { headOf } from './head.js';
import type { ReadOperator } from './read-operator.js';
import { refuseUnbracketedRange } from './unbracketed-range.js';

const CLOSERS: ReadonlyMap<number, string> = new Map([
  [CODE.openingParenthesis, ')'],
  [CODE.openingBracket, ']'],
]);

/** `field in (a, b)` or `field in [a, b]`. */
export function readMembership(cursor: Cursor, field: NameNode, operator: ReadOperator): PredicateNode {
  cursor.skipSpace();
  const operandAt = cursor.at;
  const operands = readList(cursor);
  return { ...headOf(cursor, field, operator, operandAt), kind: 'in', operands };
}

function readList(cursor: Cursor): OperandNode[] {
  const opener = cursor.at;
  const closer = CLOSERS.get(cursor.code());
  if (closer === undefined) throw noList(cursor);
  cursor.enter(1);
  cursor.at++;
  cursor.skipSpace();
  if (cursor.startsWith(closer)) throw emptyList(cursor, opener);
  const operands = [readEntry(cursor, 'in (')];
  while (cursor.code() === CODE.comma) {
    cursor.at++;
    cursor.skipSpace();
    operands.push(readEntry(cursor, ','));
  }
  if (!cursor.startsWith(closer)) throw unclosed(cursor, opener, closer);
  cursor.at++;
  cursor.leave();
  return operands;
}

function noList(cursor: Cursor): Error {
  if (!cursor.atEnd) return unexpected(cursor, ['('], 'write the values in parentheses: field in (a, b)');
  return mistake('MISSING_VALUE', cursor.spanAhead(0), 'a list is missing after "in"', { expected: ['('] });
}

function emptyList(cursor: Cursor, position: number): Error {
  cursor.at++;
  return mistake('EMPTY_GROUP', cursor.spanFrom(position), 'empty value list', { expected: ['value'] });
}

function unclosed(cursor: Cursor, position: number, closer: string): Error {
  if (!cursor.atEnd) {
    refuseUnbracketedRange(cursor, position);
    return unexpected(cursor, [',', closer], 'separate values with commas; quote values that contain spaces');
  }
  const opener = cursor.text[position] ?? '';
  return mistake('UNBALANCED_PAREN', { position, length: 1 }, `"${opener}" is never closed`, {
    expected: [',', closer],
  });
}
