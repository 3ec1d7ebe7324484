import type { EqualityForm, GroupNode, OperandNode } from '../parse/nodes.js';
import { combine, negate } from './combine.js';
import type { CheckedNode } from './nodes.js';
import { refuseOnWords } from './types/text.js';
import type { Comparison } from './types/type-rule.js';

type CheckOperand = (operand: OperandNode, form: EqualityForm, comparison: Comparison) => CheckedNode | undefined;

/** A group distributes its field and operator: `f:(a and not b)` is `f:a and not f:b`. */
export function checkGroup(
  group: GroupNode,
  comparison: Comparison,
  form: EqualityForm,
  checkOperand: CheckOperand,
): CheckedNode | undefined {
  if (form === 'whole' && refuseOnWords(comparison)) return undefined;
  return checkPart(group, (operand) => checkOperand(operand, form, comparison));
}

function checkPart(
  part: GroupNode,
  checkOperand: (operand: OperandNode) => CheckedNode | undefined,
): CheckedNode | undefined {
  switch (part.kind) {
    case 'and':
    case 'or': {
      const terms = part.parts.map((inner) => checkPart(inner, checkOperand));
      const sound = terms.filter((term) => term !== undefined);
      return sound.length === terms.length ? combine(part.kind, sound) : undefined;
    }
    case 'not': {
      const term = checkPart(part.part, checkOperand);
      return term && negate(term);
    }
    default:
      return checkOperand(part);
  }
}
