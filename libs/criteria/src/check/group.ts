import type { EqualityForm, GroupNode } from '../parse/nodes.js';
import { combine, negate } from './combine.js';
import type { CheckedNode } from './nodes.js';
import { checkOperand } from './operand.js';
import { refuseOnWords } from './types/text.js';
import type { Comparison } from './types/type-rule.js';

/** A group distributes its field and operator: `f:(a and not b)` is `f:a and not f:b`. */
export function checkGroup(group: GroupNode, form: EqualityForm, comparison: Comparison): CheckedNode | undefined {
  if (form === 'whole' && refuseOnWords(comparison)) return undefined;
  return checkPart(group, form, comparison);
}

function checkPart(part: GroupNode, form: EqualityForm, comparison: Comparison): CheckedNode | undefined {
  switch (part.kind) {
    case 'and':
    case 'or': {
      const terms = part.parts.map((inner) => checkPart(inner, form, comparison));
      const sound = terms.filter((term) => term !== undefined);
      return sound.length === terms.length ? combine(part.kind, sound) : undefined;
    }
    case 'not': {
      const term = checkPart(part.part, form, comparison);
      return term && negate(term);
    }
    default:
      return checkOperand(part, form, comparison);
  }
}
