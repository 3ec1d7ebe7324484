import { CODE } from '../text/characters.js';
import type { Cursor } from './cursor.js';
import { connectorAhead, isKeywordAhead } from './keywords.js';
import type { GroupNode, OperandNode, RangeNode, ValueNode } from './syntax-tree.js';
import { isNull, readValue, readValueOrNull, refuseNull, startsValue } from './value.js';

const ANY: OperandNode = Object.freeze({ kind: 'any' });
const NULL: OperandNode = Object.freeze({ kind: 'null' });
const SEPARATOR_LENGTH = 2;

/** Reads the operand of an equality or a list entry: a value, a range, an interval, the bare `*`, or `null`. */
export function readOperand(cursor: Cursor): OperandNode {
  const position = cursor.at;
  const code = cursor.code();
  if (code === CODE.openingBracket || code === CODE.openingBrace) return readInterval(cursor);
  if (isRangeSign(cursor)) return readRange(cursor, position, undefined);
  const value = readValueOrNull(cursor);
  if (isRangeSign(cursor)) return readRange(cursor, position, value);
  if (value.pattern === '*') return ANY;
  return isNull(value) ? NULL : value;
}

/** Reads and counts one operand of a list or a group, and the white space after it. */
export function readEntry(cursor: Cursor): OperandNode {
  const position = cursor.at;
  const operand = readOperand(cursor);
  cursor.countClause(position);
  cursor.skipSpace();
  return operand;
}

/** Reads the list of `in`: `(a, b)` or `[a, b]`. */
export function readList(cursor: Cursor): readonly OperandNode[] {
  const opener = cursor.at;
  const closer = closerOf(cursor.code());
  if (closer === undefined) throw cursor.failure('list');
  cursor.enter(1);
  cursor.at++;
  cursor.skipSpace();
  if (cursor.code() === closer) throw cursor.failure('emptyList', opener, cursor.at + 1);
  const operands = [readEntry(cursor)];
  while (cursor.code() === CODE.comma) {
    cursor.at++;
    cursor.skipSpace();
    operands.push(readEntry(cursor));
  }
  if (cursor.code() !== closer) throw cursor.failure('listEnd', opener);
  cursor.at++;
  cursor.leave();
  return operands;
}

function closerOf(opener: number): number | undefined {
  if (opener === CODE.openingParenthesis) return CODE.closingParenthesis;
  return opener === CODE.openingBracket ? CODE.closingBracket : undefined;
}

/** Reads `a and b` after `between`, both bounds inclusive; the first `and` belongs to it. */
export function readBetween(cursor: Cursor): RangeNode {
  const position = cursor.at;
  const low = readValue(cursor);
  cursor.skipSpace();
  const connector = connectorAhead(cursor);
  if (connector?.kind !== 'and') throw cursor.failure('between');
  cursor.at += connector.length;
  cursor.skipSpace();
  const high = readValue(cursor);
  const length = cursor.at - position;
  return { kind: 'range', form: 'between', low, high, aboveLow: false, belowHigh: false, position, length };
}

/** Returns whether `..` is next. */
export function isRangeSign(cursor: Cursor): boolean {
  return cursor.code() === CODE.dot && cursor.code(1) === CODE.dot;
}

/** Reads `a..b`, `a..` or `..b` from the dots on, without white space around them; `*` is an open side too. */
function readRange(cursor: Cursor, position: number, first: ValueNode | undefined): RangeNode {
  if (first !== undefined) refuseNull(cursor, first);
  cursor.at += SEPARATOR_LENGTH;
  const second = startsValue(cursor) ? readValue(cursor) : undefined;
  const [low, high] = [boundOf(first), boundOf(second)];
  if (low === undefined && high === undefined) throw cursor.failure('bound', position);
  const length = cursor.at - position;
  return { kind: 'range', form: 'dots', low, high, aboveLow: false, belowHigh: false, position, length };
}

/** Reads `[a TO b]` or `[a..b]`; a brace instead of a bracket excludes its bound, a `*` leaves its side open. */
function readInterval(cursor: Cursor): RangeNode {
  const position = cursor.at;
  const isAbove = cursor.code() === CODE.openingBrace;
  cursor.at++;
  const low = readBound(cursor);
  if (!isRangeSign(cursor) && !isKeywordAhead(cursor, 'to')) throw cursor.failure('intervalSeparator', position);
  cursor.at += SEPARATOR_LENGTH;
  const high = readBound(cursor);
  const isBelow = cursor.code() === CODE.closingBrace;
  if (!isBelow && cursor.code() !== CODE.closingBracket) throw cursor.failure('intervalEnd', position);
  cursor.at++;
  if (low === undefined && high === undefined) throw cursor.failure('bound', position);
  const [aboveLow, belowHigh] = [isAbove && low !== undefined, isBelow && high !== undefined];
  return { kind: 'range', form: 'interval', low, high, aboveLow, belowHigh, position, length: cursor.at - position };
}

function readBound(cursor: Cursor): ValueNode | undefined {
  cursor.skipSpace();
  const bound = readValue(cursor);
  cursor.skipSpace();
  return boundOf(bound);
}

/** Returns the bound of a side; a `*` alone is none. */
function boundOf(value: ValueNode | undefined): ValueNode | undefined {
  return value?.pattern === '*' ? undefined : value;
}

/** Reads `(a or b)`, `(a and not b)` or `(a, b)` after an equality: the operator applies to every value. */
export function readGroup(cursor: Cursor): GroupNode {
  const opener = cursor.at;
  cursor.enter(1);
  cursor.at++;
  cursor.skipSpace();
  if (cursor.code() === CODE.closingParenthesis) throw cursor.failure('emptyGroup', opener, cursor.at + 1);
  const group = readAlternatives(cursor);
  if (cursor.code() !== CODE.closingParenthesis) throw cursor.failure('groupEnd', opener);
  cursor.at++;
  cursor.leave();
  return group;
}

/**
 * Values joined by `or`, or by commas: they do not mix, because in other languages a comma may mean either connector.
 */
function readAlternatives(cursor: Cursor): GroupNode {
  const isNested = cursor.code() === CODE.openingParenthesis;
  const parts = [readConjunction(cursor)];
  if (cursor.code() === CODE.comma && !isNested && isSingle(parts[0])) return readCommas(cursor, parts);
  for (let or = connectorAhead(cursor); or?.kind === 'or'; or = connectorAhead(cursor)) {
    cursor.at += or.length;
    parts.push(readConjunction(cursor));
  }
  return joined('or', parts);
}

function readCommas(cursor: Cursor, parts: GroupNode[]): GroupNode {
  while (cursor.code() === CODE.comma) {
    cursor.at++;
    cursor.skipSpace();
    parts.push(readEntry(cursor));
  }
  return joined('or', parts);
}

function readConjunction(cursor: Cursor): GroupNode {
  const parts = [readPart(cursor)];
  for (let and = connectorAhead(cursor); and?.kind === 'and'; and = connectorAhead(cursor)) {
    cursor.at += and.length;
    parts.push(readPart(cursor));
  }
  return joined('and', parts);
}

/** Reads a value, a nested group, or the negation of either, and the white space after it. */
function readPart(cursor: Cursor): GroupNode {
  cursor.skipSpace();
  if (isKeywordAhead(cursor, 'not')) return readNegation(cursor);
  if (cursor.code() !== CODE.openingParenthesis) return readEntry(cursor);
  const group = readGroup(cursor);
  cursor.skipSpace();
  return group;
}

function readNegation(cursor: Cursor): GroupNode {
  const { length } = 'not';
  cursor.enter(length);
  cursor.at += length;
  const part = readPart(cursor);
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
