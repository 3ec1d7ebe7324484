import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { EqualityForm, OperandNode, PredicateNode } from '../parse/nodes.js';
import { combine, negate } from './combine.js';
import { resolveField } from './field.js';
import type { Findings } from './findings.js';
import { checkGroup } from './group.js';
import { checkLike } from './like.js';
import type { CheckedNode } from './nodes.js';
import { refuseOnWords } from './types/text.js';
import type { Comparison } from './types/type-rule.js';
import { TYPE_RULES } from './types/type-rules.js';
import { isSound, isSoundBound } from './value.js';

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
      return checkGroup(node.group, comparison, node.form, checkOperand);
    case 'like':
      return checkLike(node.operand, comparison);
  }
}

function existence(field: CriteriaField): CheckedNode {
  return { kind: 'exists', field };
}

/** `in` compares whole values; it is the same as equalities joined by `or`. */
function checkMembership(operands: readonly OperandNode[], comparison: Comparison): CheckedNode | undefined {
  if (refuseOnWords(comparison)) return undefined;
  const terms = operands.map((operand) => checkOperand(operand, 'whole', comparison));
  const sound = terms.filter((term) => term !== undefined);
  return sound.length === terms.length ? combine('or', sound) : undefined;
}

function checkOperand(operand: OperandNode, form: EqualityForm, comparison: Comparison): CheckedNode | undefined {
  const { field, findings } = comparison;
  switch (operand.kind) {
    case 'any':
      return existence(field);
    case 'null':
      return negate(existence(field));
    case 'scalar': {
      if (!isSound(operand, findings)) return undefined;
      const rule = TYPE_RULES[field.type];
      return operand.pattern === undefined
        ? rule.equals(comparison, operand, form)
        : rule.resembles(comparison, operand, operand.pattern, form);
    }
    case 'range': {
      const isLowSound = isSoundBound(operand.low, findings);
      const isHighSound = isSoundBound(operand.high, findings);
      return isLowSound && isHighSound ? TYPE_RULES[field.type].inRange(comparison, operand) : undefined;
    }
  }
}
