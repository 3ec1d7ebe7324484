import type { CriteriaFields } from '../fields.js';
import { type CriteriaLimits, DEFAULT_LIMITS } from '../limits.js';
import type { CriteriaNode, PredicateNode } from '../parse/syntax-tree.js';
import { checkPredicate } from './predicate.js';
import { Failures, type TypeFailure } from './type-failures.js';
import { type CheckedNode, combine, negate } from './typed-tree.js';

/** A typed tree, or the rules that its predicates break, in the order of the text. */
export type CheckedCriteria =
  | { readonly ok: true; readonly value: CheckedNode }
  | { readonly ok: false; readonly failures: readonly TypeFailure[] };

const EVERYTHING: CheckedNode = Object.freeze({ kind: 'everything' });

/** Types a syntax tree against the fields. */
export function checkCriteria(
  tree: CriteriaNode,
  fields: CriteriaFields,
  limits: CriteriaLimits = DEFAULT_LIMITS,
): CheckedCriteria {
  const failures = new Failures(limits);
  const value = checkNode(tree, fields, failures);
  return value === undefined ? { ok: false, failures: failures.list } : { ok: true, value };
}

/** Returns the rules broken by predicates that are complete although the text around them is not. */
export function failuresOf(
  predicates: readonly PredicateNode[],
  fields: CriteriaFields,
  limits: CriteriaLimits,
): readonly TypeFailure[] {
  const failures = new Failures(limits);
  for (const predicate of predicates) {
    if (!failures.isFull) checkPredicate(predicate, fields, failures);
  }
  return failures.list;
}

function checkNode(node: CriteriaNode, fields: CriteriaFields, failures: Failures): CheckedNode | undefined {
  switch (node.kind) {
    case 'everything':
      return EVERYTHING;
    case 'and':
    case 'or': {
      const terms: CheckedNode[] = [];
      for (const inner of node.terms) {
        const term = checkNode(inner, fields, failures);
        if (term !== undefined) terms.push(term);
      }
      return terms.length === node.terms.length ? combine(node.kind, terms) : undefined;
    }
    case 'not': {
      const term = checkNode(node.term, fields, failures);
      return term && negate(term);
    }
    default:
      return failures.isFull ? undefined : checkPredicate(node, fields, failures);
  }
}
