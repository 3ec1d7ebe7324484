import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateNode } from '../nodes.js';
import { headOf } from './head.js';
import type { ReadOperator } from './read-operator.js';

/** `field exists`. */
export function readExistence(cursor: Cursor, field: NameNode, operator: ReadOperator): PredicateNode {
  return { ...headOf(cursor, field, operator, cursor.at), kind: 'exists' };
}
