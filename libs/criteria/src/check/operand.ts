import type { CriteriaField } from '../fields.js';
import type { EqualityForm, OperandNode } from '../parse/nodes.js';
import { negate } from './combine.js';
import type { CheckedNode } from './nodes.js';
import type { Comparison } from './types/type-rule.js';
import { TYPE_RULES } from './types/type-rules.js';
import { isSound, isSoundBound } from './value.js';

/** The condition that the field has any value. */
export function existence(field: CriteriaField): CheckedNode {
  return { kind: 'exists', field };
}

/** What one operand asks of the field of the comparison, or nothing after a note of what is wrong with it. */
export function checkOperand(
  operand: OperandNode,
  form: EqualityForm,
  comparison: Comparison,
): CheckedNode | undefined {
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
