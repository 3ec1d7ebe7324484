import { CODE } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { EqualityForm, NameNode, PredicateNode } from '../nodes.js';
import { readOperand } from '../values/operand.js';
import { comparisonAfterColon } from './comparison.js';
import { readGroup } from './group.js';
import { headOf } from './head.js';
import type { ReadOperator } from './read-operator.js';

/** `field:value`, `field = value`, a range, a group of values, or `field:*`, which asks for existence. */
export function readEquality(
  cursor: Cursor,
  field: NameNode,
  operator: ReadOperator,
  form: EqualityForm,
): PredicateNode {
  cursor.skipSpace();
  const compared = operator.text === ':' ? comparisonAfterColon(cursor, field) : undefined;
  if (compared !== undefined) return compared;
  if (cursor.code() === CODE.openingParenthesis && !operator.operation.negated) {
    return readGroup(cursor, field, operator, form);
  }
  const operandAt = cursor.at;
  const operand = readOperand(cursor, operator.text);
  if (operand.kind === 'any') return { ...headOf(cursor, field, operator, operandAt), kind: 'exists' };
  return {
    kind: 'equals',
    form,
    operand,
    field: field.text,
    operator: operator.text,
    operatorAt: operator.position,
    operandAt,
    position: field.position,
    length: cursor.at - field.position,
  };
}
