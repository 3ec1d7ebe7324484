import { operatorsOf } from '../describe/operators.js';
import { echo } from '../errors/echo.js';
import type { ValueNode } from '../parse/nodes.js';
import { operatorSpan } from '../parse/predicates/head.js';
import type { CheckedNode } from './nodes.js';
import { refuseOnWords } from './types/text.js';
import type { Comparison } from './types/type-rule.js';
import { TYPE_RULES } from './types/type-rules.js';
import { isSound } from './value.js';

/** `like` compares the whole value with a pattern; one without a wildcard is the value itself. */
export function checkLike(value: ValueNode, comparison: Comparison): CheckedNode | undefined {
  const { field, predicate, findings } = comparison;
  if (refuseOnWords(comparison)) return undefined;
  const allowed = operatorsOf(field);
  if (!allowed.includes('like')) {
    const detail = `"${echo(predicate.operator)}" cannot be used with ${field.type} field "${field.name}"`;
    return findings.add('OPERATOR_NOT_ALLOWED', operatorSpan(predicate), detail, {
      hint: 'patterns work on text',
      allowed,
    });
  }
  if (!isSound(value, findings)) return undefined;
  const rule = TYPE_RULES[field.type];
  return value.pattern === undefined
    ? rule.equals(comparison, value, 'whole')
    : rule.resembles(comparison, value, value.pattern, 'whole');
}
