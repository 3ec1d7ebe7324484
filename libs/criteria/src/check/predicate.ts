import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { CriteriaLimits } from '../limits.js';
import type { EqualityForm, OperandNode, PredicateNode } from '../parse/nodes.js';
import { combine } from './combine.js';
import { resolveField } from './field.js';
import type { Findings } from './findings.js';
import type { CheckedNode } from './nodes.js';
import type { Comparison } from './types/type-rule.js';
import { TYPE_RULES } from './types/type-rules.js';
import { isPlainValue } from './value.js';

/** What a check needs to know besides the tree. */
export interface CheckContext {
  readonly fields: CriteriaFields;
  readonly limits: CriteriaLimits;
  readonly findings: Findings;
}

/** Gives a predicate its field and its typed values, or notes what is wrong with it. */
export function checkPredicate(node: PredicateNode, context: CheckContext): CheckedNode | undefined {
  const field = resolveField(node.field, context.fields, context.findings);
  if (field === undefined) return undefined;
  const comparison = { field, predicate: node, operator: node.operator, findings: context.findings };
  switch (node.kind) {
    case 'exists':
      return existence(field);
    case 'in':
      return checkMembership(node.operands, comparison, context.limits);
    case 'equals':
      return checkOperand(node.operand, node.form, comparison, context.limits);
    case 'compare':
      if (!isPlainValue(comparison, node.operand, context.limits)) return undefined;
      return TYPE_RULES[field.type].compares(comparison, node.operand, node.relation);
  }
}

function existence(field: CriteriaField): CheckedNode {
  return Object.freeze({ kind: 'exists', field });
}

/** `in` compares whole values; it is the same as equalities joined by `or`. */
function checkMembership(
  operands: readonly OperandNode[],
  comparison: Comparison,
  limits: CriteriaLimits,
): CheckedNode | undefined {
  const { field, predicate, operator, findings } = comparison;
  if (field.type === 'text' && !field.exact) {
    const detail = `"${operator.text}" cannot be used with text field "${field.name}"`;
    const hint = `"${field.name}" is free text: write ${field.name}:word or use fullTextSearch`;
    return findings.add('OPERATOR_NOT_ALLOWED', predicate, detail, { hint, allowed: [':', 'exists'] });
  }
  const terms = operands.map((operand) => checkOperand(operand, 'whole', comparison, limits));
  const sound = terms.filter((term) => term !== undefined);
  return sound.length === terms.length ? combine('or', sound) : undefined;
}

function checkOperand(
  operand: OperandNode,
  form: EqualityForm,
  comparison: Comparison,
  limits: CriteriaLimits,
): CheckedNode | undefined {
  const rule = TYPE_RULES[comparison.field.type];
  switch (operand.kind) {
    case 'any':
      return existence(comparison.field);
    case 'scalar':
      if (!isPlainValue(comparison, operand.value, limits)) return undefined;
      return rule.equals(comparison, operand.value, form);
    case 'range': {
      const bounds = [operand.low, operand.high].filter((bound) => bound !== undefined);
      const arePlain = bounds.map((bound) => isPlainValue(comparison, bound, limits));
      return arePlain.includes(false) ? undefined : rule.inRange(comparison, operand);
    }
  }
}
