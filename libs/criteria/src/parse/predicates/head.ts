import type { Span } from '../../errors/criteria-error.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateHead } from '../nodes.js';
import type { ReadOperator } from './read-operator.js';

/**
 * Closes a predicate at the cursor. Equalities and comparisons, by far the commonest, spell it out instead: spread into
 * the finished node it takes a tenth of the time of parsing.
 */
export function headOf(cursor: Cursor, field: NameNode, operator: ReadOperator, operandAt: number): PredicateHead {
  const { position } = field;
  return {
    field: field.text,
    operator: operator.text,
    operatorAt: operator.position,
    operandAt,
    position,
    length: cursor.at - position,
  };
}

/** The field's name of a predicate, and its place. */
export function nameOf({ field, position }: PredicateHead): NameNode {
  return { text: field, position, length: field.length };
}

/** The place of a predicate's operator; it reaches to the operand, blanks included. */
export function operatorSpan({ operatorAt, operandAt }: PredicateHead): Span {
  return { position: operatorAt, length: operandAt - operatorAt };
}
