import { operatorsOf } from '../../describe/operators.js';
import { operatorSpan } from '../../parse/predicates/head.js';
import type { TypeRule } from './type-rule.js';

const HINT = 'ranges work on numbers and dates';

/** The half of a rule that types without an order share: no comparison by size, no range. */
export const UNORDERED: Pick<TypeRule, 'compares' | 'inRange'> = {
  compares: ({ field, predicate, findings }) =>
    findings.add('OPERATOR_NOT_ALLOWED', operatorSpan(predicate), refusal(field.type, field.name), {
      hint: HINT,
      allowed: operatorsOf(field),
    }),
  inRange: ({ field, predicate, findings }, range) =>
    findings.add(
      'OPERATOR_NOT_ALLOWED',
      range.form === 'between' ? operatorSpan(predicate) : range,
      refusal(field.type, field.name),
      {
        hint: range.form === 'dots' ? `${HINT}; quote a value that holds two dots` : HINT,
        allowed: operatorsOf(field),
      },
    ),
};

function refusal(type: string, name: string): string {
  return `a range cannot be used with ${type} field "${name}"`;
}
