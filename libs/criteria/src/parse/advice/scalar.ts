import type { PredicateNode, ValueNode } from '../nodes.js';

/** The value a predicate compares with, when it is a single one. */
export function scalarOf(predicate: PredicateNode): ValueNode | undefined {
  if (predicate.kind === 'compare' || predicate.kind === 'like') return predicate.operand;
  return predicate.kind === 'equals' && predicate.operand.kind === 'scalar' ? predicate.operand : undefined;
}
