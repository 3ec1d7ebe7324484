import type { Cursor } from '../cursor.js';
import type { CriteriaNode, NameNode, PredicateNode } from '../nodes.js';
import { readComparison } from './comparison.js';
import { readEquality } from './equality.js';
import { readExistence } from './existence.js';
import { readFieldName } from './field-name.js';
import { refuseLoneWord } from './lone-word.js';
import { readMembership } from './membership.js';
import { type ReadOperator, readOperator } from './read-operator.js';

/** One condition: a field, an operator, and what the operator takes. */
export function readPredicate(cursor: Cursor): CriteriaNode {
  const field = readFieldName(cursor);
  cursor.skipSpace();
  const operator = readOperator(cursor);
  if (operator === undefined) throw refuseLoneWord(cursor, field);
  const predicate = readRest(cursor, field, operator);
  cursor.predicates.push(predicate);
  return isNegated(operator) ? Object.freeze({ kind: 'not', term: predicate }) : predicate;
}

function readRest(cursor: Cursor, field: NameNode, operator: ReadOperator): PredicateNode {
  const { operation } = operator;
  if (operation.kind === 'in') return readMembership(cursor, field, operator);
  const predicate = readSingle(cursor, field, operator);
  cursor.countClause(field.position);
  return predicate;
}

/** One line a construct: the place to add the next one. */
function readSingle(cursor: Cursor, field: NameNode, operator: ReadOperator): PredicateNode {
  const { operation } = operator;
  switch (operation.kind) {
    case 'equals':
      return readEquality(cursor, field, operator, operation.form);
    case 'compare':
      return readComparison(cursor, field, operator, operation.relation);
    default:
      return readExistence(cursor, field, operator);
  }
}

function isNegated({ operation }: ReadOperator): boolean {
  return 'negated' in operation && operation.negated;
}
