import { type CriteriaLimits, DEFAULT_LIMITS } from '../limits.js';
import { Cursor } from './cursor.js';
import { EVERYTHING, readExpression } from './expression.js';
import { SyntaxFailure } from './syntax-failure.js';
import type { CriteriaNode, PredicateNode } from './syntax-tree.js';

/** The result of a parse: a syntax tree, or the failure that ended the parse. */
export type ParsedCriteria =
  | { readonly ok: true; readonly value: CriteriaNode }
  | {
      readonly ok: false;
      readonly failure: SyntaxFailure;
      /** The complete predicates before the failure; their fields and values can still be checked. */
      readonly predicates: readonly PredicateNode[];
    };

/** Parses criteria into a syntax tree in one pass, in time linear in their length. Blank text matches everything. */
export function parseCriteria(text: string, limits: CriteriaLimits = DEFAULT_LIMITS): ParsedCriteria {
  const cursor = new Cursor(text, limits);
  try {
    return { ok: true, value: readAll(cursor) };
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure)) throw failure;
    return { ok: false, failure, predicates: cursor.predicates };
  }
}

function readAll(cursor: Cursor): CriteriaNode {
  const { text, limits } = cursor;
  if (text.length > limits.length) throw cursor.failure('length', limits.length, text.length);
  cursor.skipSpace();
  if (cursor.atEnd) return EVERYTHING;
  const tree = readExpression(cursor);
  if (!cursor.atEnd) throw cursor.failure('condition', cursor.opener);
  return tree;
}
