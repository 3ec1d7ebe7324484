import { connectorAhead } from '../connector.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateNode, RangeNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { unexpected } from '../unexpected.js';
import { readValue } from '../values/value.js';
import { headOf } from './head.js';
import type { ReadOperator } from './read-operator.js';

const HINT = 'write field between a and b';

/** `field between a and b`, both bounds within; the first `and` belongs to it. */
export function readBetween(cursor: Cursor, field: NameNode, operator: ReadOperator): PredicateNode {
  cursor.skipSpace();
  const operandAt = cursor.at;
  const low = readValue(cursor, operator.text);
  passAnd(cursor);
  const high = readValue(cursor, 'and');
  const sides = { low, high, aboveLow: false, belowHigh: false };
  const operand: RangeNode = { kind: 'range', form: 'between', ...sides, ...cursor.spanFrom(operandAt) };
  return { ...headOf(cursor, field, operator, operandAt), kind: 'equals', form: 'whole', operand };
}

function passAnd(cursor: Cursor): void {
  cursor.skipSpace();
  if (cursor.atEnd) {
    const advice = { expected: ['and'], hint: HINT };
    throw mistake('UNEXPECTED_END', cursor.spanAhead(0), 'the upper bound of "between" is missing', advice);
  }
  const connector = connectorAhead(cursor);
  if (connector?.kind !== 'and') throw unexpected(cursor, ['and'], HINT);
  cursor.at += connector.length;
  cursor.skipSpace();
}
