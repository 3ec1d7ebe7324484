import { CODE } from '../text/characters.js';
import type { Cursor } from './cursor.js';
import { connectorAhead, isKeywordAhead } from './keywords.js';
import type { GroupNode } from './nodes.js';
import { readEntry } from './operands.js';

/** Reads `(a or b)`, `(a and not b)` or `(a, b)` behind an equality: the operator applies to every value. */
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

/** Values joined by `or`, or by commas: the two do not mix, since elsewhere a comma may mean either connector. */
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

/** Reads a value, a group within the group, or the negation of either, and the white space behind it. */
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
