import { isNameCharacter } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { CriteriaNode, NameNode, PredicateNode } from '../nodes.js';
import { readBetween } from './between.js';
import { readComparison } from './comparison.js';
import { readEquality } from './equality.js';
import { headOf } from './head.js';
import { readLike } from './like.js';
import { refuseLoneWord } from './lone-word.js';
import { readMembership } from './membership.js';
import { type ReadOperator, readOperator } from './read-operator.js';

/** One condition: a field, an operator, and what the operator takes. */
export function readPredicate(cursor: Cursor): CriteriaNode {
  const field = readFieldName(cursor);
  cursor.skipSpace();
  const operator = readOperator(cursor, field);
  if (operator === undefined) throw refuseLoneWord(cursor, field);
  const predicate = readRest(cursor, field, operator);
  if (!isCounted(predicate)) cursor.countClause(field.position);
  cursor.predicates.push(predicate);
  return operator.operation.negated ? { kind: 'not', term: predicate } : predicate;
}

/** Reads the run of characters that may be a field's name; whoever asked for a predicate has seen that there is one. */
function readFieldName(cursor: Cursor): NameNode {
  const position = cursor.at;
  while (isNameCharacter(cursor.code())) cursor.at++;
  return { text: cursor.text.slice(position, cursor.at), position, length: cursor.at - position };
}

/** One line a construct: the place to add the next one. */
function readRest(cursor: Cursor, field: NameNode, operator: ReadOperator): PredicateNode {
  const { operation } = operator;
  switch (operation.kind) {
    case 'equals':
      return readEquality(cursor, field, operator, operation.form);
    case 'compare':
      return readComparison(cursor, field, operator, operation.relation);
    case 'in':
      return readMembership(cursor, field, operator);
    case 'like':
      return readLike(cursor, field, operator);
    case 'between':
      return readBetween(cursor, field, operator);
    case 'exists':
      return { ...headOf(cursor, field, operator, cursor.at), kind: 'exists' };
  }
}

/** Lists and groups have counted their values one by one. */
function isCounted(predicate: PredicateNode): boolean {
  return predicate.kind === 'in' || predicate.kind === 'group';
}
