import {
  CODE,
  isNameCharacter,
  isSpace,
  isTypographicQuote,
  isWordCharacter,
  LOWER_CASE_BIT,
} from '../text/characters.js';
import { readCondition } from './condition.js';
import type { Cursor } from './cursor.js';
import { connectorAhead, isKeywordAhead } from './keywords.js';
import { isRangeSign } from './operands.js';
import type { CriteriaNode } from './syntax-tree.js';

/** The tree of `*` and of blank text. */
export const EVERYTHING: CriteriaNode = Object.freeze({ kind: 'everything' });

/** The state of one pair of parentheses, or of the whole text: it must not contain both adjacent terms and `or`. */
interface Level {
  /** The position of the first term that follows another without a connector. */
  adjacentAt?: number;
  hasOr: boolean;
}

/** Reads conjunctions joined by `or`. The terms of a conjunction are joined by `and`, or are adjacent. */
export function readExpression(cursor: Cursor): CriteriaNode {
  const level: Level = { hasOr: false };
  const first = readConjunction(cursor, level);
  const second = readAlternative(cursor, level);
  if (second === undefined) return first;
  const terms = [first, second];
  for (let next = readAlternative(cursor, level); next !== undefined; next = readAlternative(cursor, level)) {
    terms.push(next);
  }
  return { kind: 'or', terms };
}

/** Reads the terms after an `or`; returns undefined if no `or` is next. */
function readAlternative(cursor: Cursor, level: Level): CriteriaNode | undefined {
  const connector = connectorAhead(cursor);
  if (connector?.kind !== 'or') return undefined;
  level.hasOr = true;
  rejectMixedOr(cursor, level);
  cursor.at += connector.length;
  return readConjunction(cursor, level);
}

function readConjunction(cursor: Cursor, level: Level): CriteriaNode {
  const first = readUnary(cursor);
  const second = readNext(cursor, level);
  if (second === undefined) return first;
  const terms = [first, second];
  for (let next = readNext(cursor, level); next !== undefined; next = readNext(cursor, level)) terms.push(next);
  return { kind: 'and', terms };
}

/** Reads the term after an `and` or directly after another; returns undefined at the end of the conjunction. */
function readNext(cursor: Cursor, level: Level): CriteriaNode | undefined {
  cursor.skipSpace();
  if (cursor.atEnd || cursor.code() === CODE.closingParenthesis) return undefined;
  const connector = connectorAhead(cursor);
  if (connector === undefined) return readAdjacent(cursor, level);
  if (connector.kind === 'or') return undefined;
  cursor.at += connector.length;
  return readUnary(cursor);
}

/** Reads a term without a connector before it. The term is read first, so that a single word fails as a single word. */
function readAdjacent(cursor: Cursor, level: Level): CriteriaNode {
  const position = cursor.at;
  const term = readUnary(cursor);
  level.adjacentAt ??= position;
  rejectMixedOr(cursor, level);
  return term;
}

/** Languages disagree on how `a b or c` groups, so the parser does not guess. */
function rejectMixedOr(cursor: Cursor, { hasOr, adjacentAt }: Level): void {
  if (hasOr && adjacentAt !== undefined) throw cursor.failure('mixedOr', adjacentAt);
}

function readUnary(cursor: Cursor): CriteriaNode {
  cursor.skipSpace();
  const length = negationAhead(cursor);
  if (length === 0) return readPrimary(cursor);
  cursor.enter(length);
  cursor.at += length;
  const term = readUnary(cursor);
  cursor.leave();
  return { kind: 'not', term };
}

/** Returns the length of the next negation, 0 without one: `not`, `!`, or `-` directly before its term. */
function negationAhead(cursor: Cursor): number {
  const code = cursor.code();
  if (code === CODE.exclamation) return cursor.code(1) === CODE.equals ? 0 : 1;
  if (code !== CODE.minus) return (code | LOWER_CASE_BIT) === CODE.n && isKeywordAhead(cursor, 'not') ? 3 : 0;
  if (isSpace(cursor.code(1))) throw cursor.failure('condition', cursor.opener);
  return 1;
}

function readPrimary(cursor: Cursor): CriteriaNode {
  if (cursor.code() === CODE.openingParenthesis) return readParenthesised(cursor);
  if (cursor.code() === CODE.star) return readEverything(cursor);
  if (!isNameAhead(cursor)) throw cursor.failure('condition', cursor.opener);
  return readCondition(cursor);
}

function isNameAhead(cursor: Cursor): boolean {
  const code = cursor.code();
  if (!isNameCharacter(code) || isTypographicQuote(code)) return false;
  return !isRangeSign(cursor) && connectorAhead(cursor) === undefined;
}

function readParenthesised(cursor: Cursor): CriteriaNode {
  const { at: start, opener: outer } = cursor;
  cursor.enter(1);
  cursor.at++;
  cursor.skipSpace();
  if (cursor.code() === CODE.closingParenthesis) throw cursor.failure('emptyParentheses', start, cursor.at + 1);
  if (cursor.atEnd) throw cursor.failure('parentheses', start);
  cursor.opener = start;
  const inner = readExpression(cursor);
  if (cursor.atEnd) throw cursor.failure('parentheses', start);
  cursor.opener = outer;
  cursor.at++;
  cursor.leave();
  return inner;
}

/** Reads `*` or `*:*`, which match every asset. It counts as one clause. */
function readEverything(cursor: Cursor): CriteriaNode {
  const position = cursor.at;
  cursor.at += cursor.startsWith('*:*') ? 3 : 1;
  if (isWordCharacter(cursor.code()) || cursor.code() === CODE.colon) throw cursor.failure('operator', position);
  cursor.countClause(position);
  return EVERYTHING;
}
