import { CODE, isOperatorSign } from '../../text/characters.js';
import { connectorAhead } from '../connector.js';
import type { Cursor } from '../cursor.js';
import { isKeywordAhead } from '../keyword.js';
import type { EqualityForm, GroupNode, NameNode, PredicateNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { unexpected } from '../unexpected.js';
import { readEntry } from '../values/operand.js';
import { headOf } from './head.js';
import type { ReadOperator } from './read-operator.js';
import { refuseUnbracketedRange } from './unbracketed-range.js';

/** `field:(a or b)`, `field:(a and not b)`, `field:(a, b)`: the field and its operator apply to every value. */
export function readGroup(cursor: Cursor, field: NameNode, operator: ReadOperator, form: EqualityForm): PredicateNode {
  const operandAt = cursor.at;
  const group = readParenthesised(cursor);
  return { ...headOf(cursor, field, operator, operandAt), kind: 'group', form, group };
}

function readParenthesised(cursor: Cursor): GroupNode {
  const opener = cursor.at;
  cursor.enter(1);
  cursor.at++;
  cursor.skipSpace();
  if (cursor.code() === CODE.closingParenthesis) throw empty(cursor, opener);
  const group = readAlternatives(cursor);
  if (cursor.code() !== CODE.closingParenthesis) throw unclosed(cursor, opener);
  cursor.at++;
  cursor.leave();
  return group;
}

/** Values joined by `or`, or by commas: the two do not mix, since elsewhere a comma may mean either connector. */
function readAlternatives(cursor: Cursor): GroupNode {
  const isNested = cursor.code() === CODE.openingParenthesis;
  const parts = [readConjunction(cursor, '(')];
  if (cursor.code() === CODE.comma && !isNested && isSingle(parts[0])) return readCommas(cursor, parts);
  for (let or = connectorAhead(cursor); or?.kind === 'or'; or = connectorAhead(cursor)) {
    cursor.at += or.length;
    parts.push(readConjunction(cursor, 'or'));
  }
  return joined('or', parts);
}

function readCommas(cursor: Cursor, parts: GroupNode[]): GroupNode {
  while (cursor.code() === CODE.comma) {
    cursor.at++;
    cursor.skipSpace();
    parts.push(readEntry(cursor, ','));
  }
  return joined('or', parts);
}

function readConjunction(cursor: Cursor, after: string): GroupNode {
  const parts = [readPart(cursor, after)];
  for (let and = connectorAhead(cursor); and?.kind === 'and'; and = connectorAhead(cursor)) {
    cursor.at += and.length;
    parts.push(readPart(cursor, 'and'));
  }
  return joined('and', parts);
}

/** A value, a group within the group, or the negation of either; the white space behind it is passed. */
function readPart(cursor: Cursor, after: string): GroupNode {
  cursor.skipSpace();
  if (isKeywordAhead(cursor, 'not')) return readNegation(cursor);
  if (cursor.code() !== CODE.openingParenthesis) return readEntry(cursor, after);
  const group = readParenthesised(cursor);
  cursor.skipSpace();
  return group;
}

function readNegation(cursor: Cursor): GroupNode {
  const length = 'not'.length;
  cursor.enter(length);
  cursor.at += length;
  const part = readPart(cursor, 'not');
  cursor.leave();
  return { kind: 'not', part };
}

function joined(kind: 'and' | 'or', parts: readonly GroupNode[]): GroupNode {
  const [only, second] = parts;
  if (only !== undefined && second === undefined) return only;
  return { kind, parts };
}

function isSingle(part: GroupNode | undefined): boolean {
  return part !== undefined && part.kind !== 'and' && part.kind !== 'or' && part.kind !== 'not';
}

function empty(cursor: Cursor, position: number): Error {
  cursor.at++;
  return mistake('EMPTY_GROUP', cursor.spanFrom(position), 'empty group of values', { expected: ['value'] });
}

function unclosed(cursor: Cursor, position: number): Error {
  const expected = ['or', 'and', ',', ')'];
  if (cursor.atEnd) return mistake('UNBALANCED_PAREN', { position, length: 1 }, '"(" is never closed', { expected });
  refuseUnbracketedRange(cursor, position);
  if (isOperatorSign(cursor.code())) {
    return unexpected(cursor, expected, 'a group holds values of one field: name the other field outside');
  }
  const isMixed = cursor.code() === CODE.comma || connectorAhead(cursor) !== undefined;
  const hint = isMixed
    ? 'join values either by commas or by "and" and "or"'
    : 'separate values by "or", "and" or a comma; quote values that contain spaces';
  return unexpected(cursor, expected, hint);
}
