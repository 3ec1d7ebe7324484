import { type CriteriaError, criteriaError } from '../errors/criteria-error.js';
import type { CriteriaFields } from '../fields.js';
import { deeplyFrozen } from '../frozen.js';
import { type CriteriaLimits, withDefaults } from '../limits.js';
import { Cursor } from './cursor.js';
import { EVERYTHING } from './everything.js';
import { readExpression } from './expression.js';
import { refuseMissingTerm } from './missing-term.js';
import type { CriteriaNode, PredicateNode } from './nodes.js';
import { SyntaxMistake } from './syntax-mistake.js';

/** What the syntax gave: a tree, or the one mistake that ended the reading. */
export type ParsedCriteria =
  | { readonly ok: true; readonly value: CriteriaNode }
  | {
      readonly ok: false;
      readonly errors: readonly [CriteriaError];
      /** The predicates read whole before the mistake; their fields and values can still be checked. */
      readonly predicates: readonly PredicateNode[];
    };

/**
 * Reads criteria into a syntax tree in one pass; blank text means everything. Takes time linear in the length.
 *
 * @param fields make the hints of refusals better, and nothing else
 */
export function parseCriteria(text: string, limits?: Partial<CriteriaLimits>, fields?: CriteriaFields): ParsedCriteria {
  return deeplyFrozen(readCriteria(text, limits, fields));
}

/** The same for those within the package, who keep the tree to themselves: to freeze it takes as long as to check it. */
export function readCriteria(text: string, limits?: Partial<CriteriaLimits>, fields?: CriteriaFields): ParsedCriteria {
  const bounds = withDefaults(limits);
  if (text.length > bounds.length) return { ok: false, errors: [tooLong(text, bounds.length)], predicates: [] };
  const cursor = new Cursor(text, bounds, fields);
  try {
    return { ok: true, value: readAll(cursor) };
  } catch (error) {
    if (!(error instanceof SyntaxMistake)) throw error;
    return { ok: false, errors: [error.error], predicates: cursor.predicates };
  }
}

function readAll(cursor: Cursor): CriteriaNode {
  cursor.skipSpace();
  if (cursor.atEnd) return EVERYTHING;
  const tree = readExpression(cursor);
  if (!cursor.atEnd) refuseMissingTerm(cursor);
  return tree;
}

function tooLong(text: string, most: number): CriteriaError {
  const detail = `criteria may hold at most ${most} characters`;
  return criteriaError('TOO_LONG', { position: most, length: text.length - most }, detail);
}
