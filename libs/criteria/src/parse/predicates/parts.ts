import type { Span } from '../../errors/criteria-error.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, OperatorNode } from '../nodes.js';
import type { ReadOperator } from './read-operator.js';

/** What every predicate has, whatever its operator. */
export interface PredicateHead extends Span {
  readonly field: NameNode;
  readonly operator: OperatorNode;
}

/** Closes a predicate at the cursor; the operator's span reaches to the operand. */
export function headOf(cursor: Cursor, field: NameNode, operator: ReadOperator, operandAt: number): PredicateHead {
  const { position, text } = operator;
  return {
    field,
    operator: Object.freeze({ text, position, length: operandAt - position }),
    position: field.position,
    length: cursor.at - field.position,
  };
}
