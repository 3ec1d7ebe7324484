import type { CriteriaField } from '../fields.js';
import type { Relation } from '../operators.js';
import type { EqualityForm, PredicateNode, RangeNode, ValueNode } from '../parse/nodes.js';
import type { Failures, TypeRuleName } from './failures.js';
import type { CheckedNode } from './nodes.js';

/** One predicate while its values are checked against its field. */
export class Comparison {
  constructor(
    readonly field: CriteriaField,
    readonly predicate: PredicateNode,
    readonly failures: Failures,
  ) {}

  /** Records a failure. Returns undefined, in place of the node. */
  fail(rule: TypeRuleName, operand?: ValueNode | RangeNode): undefined {
    this.failures.add({ rule, predicate: this.predicate, field: this.field, operand });
  }
}

/** The meaning of operators on one type of field. Each function returns the condition, or records a failure. */
export interface TypeRule {
  equals(comparison: Comparison, value: ValueNode, form: EqualityForm): CheckedNode | undefined;
  /** The value has a wildcard. */
  matches(comparison: Comparison, value: ValueNode, pattern: string, form: EqualityForm): CheckedNode | undefined;
  compares(comparison: Comparison, value: ValueNode, relation: Relation): CheckedNode | undefined;
  inRange(comparison: Comparison, range: RangeNode): CheckedNode | undefined;
}
