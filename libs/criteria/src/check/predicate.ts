import type { CriteriaFields } from '../fields.js';
import type { OperandNode, PredicateNode } from '../parse/nodes.js';
import { combine } from './combine.js';
import { resolveField } from './field.js';
import type { Findings } from './findings.js';
import { checkGroup } from './group.js';
import { checkLike } from './like.js';
import type { CheckedNode } from './nodes.js';
import { checkOperand, existence } from './operand.js';
import { refuseOnWords } from './types/text.js';
import type { Comparison } from './types/type-rule.js';
import { TYPE_RULES } from './types/type-rules.js';
import { isSoundBound } from './value.js';

/** What a check needs to know besides the tree. */
export interface CheckContext {
  readonly fields: CriteriaFields;
  readonly findings: Findings;
}

/** Gives a predicate its field and its typed values, or notes what is wrong with it. */
export function checkPredicate(node: PredicateNode, { fields, findings }: CheckContext): CheckedNode | undefined {
  const field = resolveField(node, fields, findings);
  if (field === undefined) return undefined;
  const comparison = { field, predicate: node, findings };
  switch (node.kind) {
    case 'exists':
      return existence(field);
    case 'equals':
      return checkOperand(node.operand, node.form, comparison);
    case 'compare':
      if (!isSoundBound(node.operand, findings)) return undefined;
      return TYPE_RULES[field.type].compares(comparison, node.operand, node.relation);
    case 'in':
      return checkMembership(node.operands, comparison);
    case 'group':
      return checkGroup(node.group, node.form, comparison);
    case 'like':
      return checkLike(node.operand, comparison);
  }
}

/** `in` compares whole values; it is the same as equalities joined by `or`. */
function checkMembership(operands: readonly OperandNode[], comparison: Comparison): CheckedNode | undefined {
  if (refuseOnWords(comparison)) return undefined;
  const terms = operands.map((operand) => checkOperand(operand, 'whole', comparison));
  const sound = terms.filter((term) => term !== undefined);
  return sound.length === terms.length ? combine('or', sound) : undefined;
}
