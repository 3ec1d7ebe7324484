import type { CriteriaField } from '../../fields.js';
import type { EqualityForm, PredicateHead, RangeNode, Relation, ValueNode } from '../../parse/nodes.js';
import type { Findings } from '../findings.js';
import type { CheckedNode } from '../nodes.js';

/** One comparison on its way through the check. */
export interface Comparison {
  readonly field: CriteriaField;
  readonly predicate: PredicateHead;
  readonly findings: Findings;
}

/** What one type of field allows. Each function gives the condition, or notes what is wrong and gives nothing. */
export interface TypeRule {
  equals(comparison: Comparison, value: ValueNode, form: EqualityForm): CheckedNode | undefined;
  /** The value holds a wildcard; `pattern` is the form asked for. */
  resembles(comparison: Comparison, value: ValueNode, pattern: string, form: EqualityForm): CheckedNode | undefined;
  compares(comparison: Comparison, value: ValueNode, relation: Relation): CheckedNode | undefined;
  inRange(comparison: Comparison, range: RangeNode): CheckedNode | undefined;
}
