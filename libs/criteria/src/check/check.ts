import type { CriteriaError } from '../errors/criteria-error.js';
import type { CriteriaFields } from '../fields.js';
import { deeplyFrozen } from '../frozen.js';
import { type CriteriaLimits, withDefaults } from '../limits.js';
import type { CriteriaNode, PredicateNode } from '../parse/nodes.js';
import type { Result } from '../result.js';
import { combine, negate } from './combine.js';
import { Findings } from './findings.js';
import type { CheckedNode } from './nodes.js';
import { type CheckContext, checkPredicate } from './predicate.js';

const EVERYTHING: CheckedNode = Object.freeze({ kind: 'everything' });

/** Types a syntax tree against the fields. All mistakes are reported, up to the limit, in the order of the text. */
export function checkCriteria(
  tree: CriteriaNode,
  fields: CriteriaFields,
  limits?: Partial<CriteriaLimits>,
): Result<CheckedNode> {
  return deeplyFrozen(checkTree(tree, fields, limits));
}

/** The same for those within the package, who keep the tree to themselves. */
export function checkTree(
  tree: CriteriaNode,
  fields: CriteriaFields,
  limits?: Partial<CriteriaLimits>,
): Result<CheckedNode> {
  const context = contextFor(fields, limits);
  const value = checkNode(tree, context);
  if (value === undefined) return { ok: false, errors: context.findings.errors };
  return { ok: true, value };
}

/** The mistakes of meaning in predicates that were read whole before the syntax went wrong. */
export function checkPredicates(
  predicates: readonly PredicateNode[],
  fields: CriteriaFields,
  limits?: Partial<CriteriaLimits>,
): readonly CriteriaError[] {
  const context = contextFor(fields, limits);
  for (const predicate of predicates) {
    if (context.findings.isFull) break;
    checkPredicate(predicate, context);
  }
  return context.findings.errors;
}

function contextFor(fields: CriteriaFields, limits?: Partial<CriteriaLimits>): CheckContext {
  return { fields, findings: new Findings(withDefaults(limits)) };
}

function checkNode(node: CriteriaNode, context: CheckContext): CheckedNode | undefined {
  switch (node.kind) {
    case 'everything':
      return EVERYTHING;
    case 'and':
    case 'or':
      return checkTerms(node.kind, node.terms, context);
    case 'not': {
      const term = checkNode(node.term, context);
      return term && negate(term);
    }
    default:
      return context.findings.isFull ? undefined : checkPredicate(node, context);
  }
}

function checkTerms(
  kind: 'and' | 'or',
  nodes: readonly CriteriaNode[],
  context: CheckContext,
): CheckedNode | undefined {
  const terms: CheckedNode[] = [];
  for (const node of nodes) {
    const term = checkNode(node, context);
    if (term !== undefined) terms.push(term);
  }
  return terms.length === nodes.length ? combine(kind, terms) : undefined;
}
