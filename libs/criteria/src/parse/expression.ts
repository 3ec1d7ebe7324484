import { echo } from '../errors/echo.js';
import { CODE, isSpace, SMALL } from '../text/characters.js';
import { scalarOf } from './advice/scalar.js';
import { connectorAhead } from './connector.js';
import type { Cursor } from './cursor.js';
import { readEverything } from './everything.js';
import { isKeywordAhead } from './keyword.js';
import { refuseMissingTerm } from './missing-term.js';
import type { CriteriaNode } from './nodes.js';
import { readPredicate } from './predicates/predicate.js';
import { mistake } from './syntax-mistake.js';
import { unexpected } from './unexpected.js';

/** One pair of parentheses, or the whole text: where terms side by side and `or` must not meet. */
interface Level {
  /** Where the first term stands that follows another without a connector. */
  neighbour?: number;
  hasOr: boolean;
}

/** Terms joined by `or`; each is made of terms joined by `and` or nothing. */
export function readExpression(cursor: Cursor): CriteriaNode {
  const level: Level = { hasOr: false };
  const first = readConjunction(cursor, level);
  const second = readAlternative(cursor, level);
  if (second === undefined) return first;
  const terms = [first, second];
  for (let next = readAlternative(cursor, level); next !== undefined; next = readAlternative(cursor, level)) {
    terms.push(next);
  }
  return joined('or', terms);
}

/** The terms behind an `or`; none when there is no `or` ahead. */
function readAlternative(cursor: Cursor, level: Level): CriteriaNode | undefined {
  const connector = connectorAhead(cursor);
  if (connector?.kind !== 'or') return undefined;
  level.hasOr = true;
  refuseUnclearMix(level);
  cursor.at += connector.length;
  return readConjunction(cursor, level);
}

function readConjunction(cursor: Cursor, level: Level): CriteriaNode {
  const first = readUnary(cursor);
  const second = readNext(cursor, level);
  if (second === undefined) return first;
  const terms = [first, second];
  for (let next = readNext(cursor, level); next !== undefined; next = readNext(cursor, level)) terms.push(next);
  return joined('and', terms);
}

/** The term behind an `and` or right behind another; none at the end of the conjunction. */
function readNext(cursor: Cursor, level: Level): CriteriaNode | undefined {
  cursor.skipSpace();
  if (cursor.atEnd || cursor.code() === CODE.closingParenthesis) return undefined;
  const connector = connectorAhead(cursor);
  if (connector === undefined) return readNeighbour(cursor, level);
  if (connector.kind === 'or') return undefined;
  cursor.at += connector.length;
  return readUnary(cursor);
}

/** A term without a connector before it; it is read first, so that a word alone is blamed for itself. */
function readNeighbour(cursor: Cursor, level: Level): CriteriaNode {
  const position = cursor.at;
  const term = readUnary(cursor);
  level.neighbour ??= position;
  refuseUnclearMix(level);
  return term;
}

/** Rule J: languages disagree on how `a b or c` groups, so it is not guessed. */
function refuseUnclearMix(level: Level): void {
  if (!level.hasOr || level.neighbour === undefined) return;
  const span = { position: level.neighbour, length: 1 };
  throw mistake('AMBIGUOUS_OR', span, 'terms side by side are ANDed, but "or" stands at the same level', {
    hint: 'write "and" explicitly or add parentheses',
  });
}

function joined(kind: 'and' | 'or', terms: readonly CriteriaNode[]): CriteriaNode {
  return { kind, terms };
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

/** How long the negation ahead is: `not`, `!`, or `-` close before its term. */
function negationAhead(cursor: Cursor): number {
  const code = cursor.code();
  if (code === CODE.exclamation) return cursor.code(1) === CODE.equals ? 0 : 1;
  if (code !== CODE.minus) return (code | SMALL) === CODE.n && isKeywordAhead(cursor, 'not') ? 3 : 0;
  if (isSpace(cursor.code(1))) throw unexpected(cursor, ['field'], 'write "-" close before its term, or not');
  return 1;
}

function readPrimary(cursor: Cursor): CriteriaNode {
  if (cursor.code() === CODE.openingParenthesis) return readParenthesised(cursor);
  if (cursor.code() === CODE.star) return readEverything(cursor);
  refuseMissingTerm(cursor);
  return readPredicate(cursor);
}

function readParenthesised(cursor: Cursor): CriteriaNode {
  const opener = cursor.at;
  cursor.enter(1);
  cursor.at++;
  cursor.skipSpace();
  if (cursor.atEnd) throw neverClosed(opener);
  if (cursor.code() === CODE.closingParenthesis) {
    cursor.at++;
    refuseCall(cursor, opener);
    throw mistake('EMPTY_GROUP', cursor.spanFrom(opener), 'nothing stands between the parentheses', {
      expected: ['field', 'not', '('],
    });
  }
  cursor.openParentheses++;
  const inner = readExpression(cursor);
  if (cursor.atEnd) throw neverClosed(opener);
  cursor.openParentheses--;
  cursor.at++;
  cursor.leave();
  return inner;
}

/** `createdAt > now()`: the value before the parentheses is no value, so its condition is not blamed as well. */
function refuseCall({ predicates, at }: Cursor, opener: number): void {
  const before = predicates.at(-1);
  const value = before && scalarOf(before);
  if (value === undefined || value.quoted || value.position + value.length !== opener) return;
  predicates.pop();
  const span = { position: value.position, length: at - value.position };
  const detail = `${echo(value.text)}() is not a function here`;
  throw mistake('UNSUPPORTED_SYNTAX', span, detail, { hint: 'write the value itself; there are no relative dates' });
}

function neverClosed(position: number): Error {
  return mistake('UNBALANCED_PAREN', { position, length: 1 }, '"(" is never closed', { expected: [')'] });
}
