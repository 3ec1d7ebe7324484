import {
  ABSENT,
  COLON,
  MAX_SIGN_LENGTH,
  NEGATED_OPERATORS,
  type Operation,
  PRESENT,
  SIGN_OPERATORS,
  WORD_OPERATORS,
} from '../operators.js';
import { CODE, isAsciiLetter, isNameCharacter, isOperatorSign } from '../text/characters.js';
import type { Cursor } from './cursor.js';
import { afterSpaceAhead, keywordAhead } from './keywords.js';
import { readBetween, readGroup, readList, readOperand } from './operands.js';
import type { CriteriaNode, PredicateHead, PredicateNode } from './syntax-tree.js';
import { readPattern, readValue } from './value.js';

/** Reads one condition: a field, an operator, and the operand. */
export function readCondition(cursor: Cursor): CriteriaNode {
  const position = cursor.at;
  while (isNameCharacter(cursor.code())) cursor.at++;
  const field = cursor.text.slice(position, cursor.at);
  cursor.skipSpace();
  let operatorAt = cursor.at;
  let operation = readOperator(cursor);
  if (operation === undefined) throw cursor.failure('operator', position);
  if (operation.takes !== 'nothing') cursor.skipSpace();
  if (operation === COLON && isRelationAhead(cursor)) {
    operatorAt = cursor.at;
    operation = readSignOperator(cursor) ?? operation;
    cursor.skipSpace();
  }
  const predicate = readRest(cursor, field, position, operatorAt, operation);
  if (predicate.kind !== 'in' && predicate.kind !== 'group') cursor.countClause(position);
  cursor.predicates.push(predicate);
  return operation.negated ? { kind: 'not', term: predicate } : predicate;
}

/**
 * Returns whether `rating: >3` has white space between the colon and the operator; `<>` is not a comparison operator.
 */
function isRelationAhead(cursor: Cursor): boolean {
  const code = cursor.code();
  return code === CODE.greater || (code === CODE.less && cursor.code(1) !== CODE.greater);
}

function readRest(
  cursor: Cursor,
  field: string,
  position: number,
  operatorAt: number,
  operation: Operation,
): PredicateNode {
  const operandAt = cursor.at;
  switch (operation.takes) {
    case 'operand': {
      const { form } = operation;
      if (cursor.code() === CODE.openingParenthesis && !operation.negated) {
        const group = readGroup(cursor);
        return { kind: 'group', form, group, ...head(cursor, field, position, operatorAt, operandAt) };
      }
      const operand = readOperand(cursor);
      if (operand.kind === 'any') return { kind: 'exists', ...head(cursor, field, position, operatorAt, operandAt) };
      // Written out, as below: spreading the head into the node takes a tenth of the time of parsing.
      const length = cursor.at - position;
      return { kind: 'equals', form, operand, field, operatorAt, operandAt, position, length };
    }
    case 'value': {
      const operand = readValue(cursor);
      const length = cursor.at - position;
      return { kind: 'value', operator: operation.name, operand, field, operatorAt, operandAt, position, length };
    }
    case 'pattern': {
      const operand = readPattern(cursor);
      const { name: operator } = operation;
      return { kind: 'value', operator, operand, ...head(cursor, field, position, operatorAt, operandAt) };
    }
    case 'list': {
      const operands = readList(cursor);
      return { kind: 'in', operands, ...head(cursor, field, position, operatorAt, operandAt) };
    }
    case 'bounds': {
      const operand = readBetween(cursor);
      return { kind: 'equals', form: 'whole', operand, ...head(cursor, field, position, operatorAt, operandAt) };
    }
    case 'nothing':
      return { kind: 'exists', ...head(cursor, field, position, operatorAt, operandAt) };
  }
}

function head(cursor: Cursor, field: string, position: number, operatorAt: number, operandAt: number): PredicateHead {
  return { field, operatorAt, operandAt, position, length: cursor.at - position };
}

/** Reads the operator after a field; returns undefined, without moving, if there is none. */
function readOperator(cursor: Cursor): Operation | undefined {
  return isAsciiLetter(cursor.code()) ? readWordOperator(cursor) : readSignOperator(cursor);
}

/** The longest matching operator. */
function readSignOperator(cursor: Cursor): Operation | undefined {
  let length = 0;
  while (length < MAX_SIGN_LENGTH && isOperatorSign(cursor.code(length))) length++;
  for (; length > 0; length--) {
    const operation = SIGN_OPERATORS.get(cursor.text.slice(cursor.at, cursor.at + length));
    if (operation !== undefined) return passed(cursor, operation, length);
  }
  return undefined;
}

function readWordOperator(cursor: Cursor): Operation | undefined {
  const word = keywordAhead(cursor);
  if (word === 'is') return readNullTest(cursor);
  if (word !== 'not') return passed(cursor, WORD_OPERATORS.get(word), word.length);
  const second = afterSpaceAhead(cursor, word.length);
  const negated = keywordAhead(cursor, second);
  return passed(cursor, NEGATED_OPERATORS.get(negated), second + negated.length);
}

/** Reads `is null` or `is not null`. */
function readNullTest(cursor: Cursor): Operation | undefined {
  const second = afterSpaceAhead(cursor, 'is'.length);
  const isNegated = keywordAhead(cursor, second) === 'not';
  const last = isNegated ? afterSpaceAhead(cursor, second + 'not'.length) : second;
  if (keywordAhead(cursor, last) !== 'null') return undefined;
  return passed(cursor, isNegated ? PRESENT : ABSENT, last + 'null'.length);
}

function passed(cursor: Cursor, operation: Operation | undefined, length: number): Operation | undefined {
  if (operation !== undefined) cursor.at += length;
  return operation;
}
