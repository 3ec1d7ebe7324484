import { CODE } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateNode, Relation } from '../nodes.js';
import { readValue } from '../values/value.js';
import { type ReadOperator, readOperator } from './read-operator.js';

/** `field > value` and its three sisters. */
export function readComparison(
  cursor: Cursor,
  field: NameNode,
  operator: ReadOperator,
  relation: Relation,
): PredicateNode {
  cursor.skipSpace();
  const operandAt = cursor.at;
  const operand = readValue(cursor, operator.text);
  return {
    kind: 'compare',
    relation,
    operand,
    field: field.text,
    operator: operator.text,
    operatorAt: operator.position,
    operandAt,
    position: field.position,
    length: cursor.at - field.position,
  };
}

/** `rating: >3`, blanks between the colon and the sign; without them it is one operator. `<>` is no comparison by size. */
export function comparisonAfterColon(cursor: Cursor, field: NameNode): PredicateNode | undefined {
  const code = cursor.code();
  if (code !== CODE.greater && (code !== CODE.less || cursor.code(1) === CODE.greater)) return undefined;
  const operator = readOperator(cursor, field);
  if (operator?.operation.kind !== 'compare') return undefined;
  return readComparison(cursor, field, operator, operator.operation.relation);
}
