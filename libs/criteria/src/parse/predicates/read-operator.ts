import { isAsciiLetter, isOperatorSign } from '../characters.js';
import { CODE } from '../codes.js';
import type { Cursor } from '../cursor.js';
import { keywordAhead } from '../keyword.js';
import { mistake } from '../syntax-mistake.js';
import {
  FOREIGN_OPERATORS,
  LONGEST_SIGN,
  NEGATED_OPERATORS,
  type Operation,
  SIGN_OPERATORS,
  WORD_OPERATORS,
} from './operators.js';

/** An operator that was read: what it does, and how and where it stands. */
export interface ReadOperator {
  readonly operation: Operation;
  readonly text: string;
  readonly position: number;
}

/** Reads the operator after a field; nothing is passed when there is none. */
export function readOperator(cursor: Cursor): ReadOperator | undefined {
  return isAsciiLetter(cursor.code()) ? readWordOperator(cursor) : readSignOperator(cursor);
}

function readSignOperator(cursor: Cursor): ReadOperator | undefined {
  if (cursor.code() === CODE.equals) refuseForeign(cursor);
  for (let length = signsAhead(cursor); length > 0; length--) {
    const sign = cursor.text.slice(cursor.at, cursor.at + length);
    const operation = SIGN_OPERATORS.get(sign);
    if (operation !== undefined) return pass(cursor, operation, length);
  }
  return undefined;
}

function signsAhead(cursor: Cursor): number {
  let length = 0;
  while (length < LONGEST_SIGN && isOperatorSign(cursor.code(length))) length++;
  return length;
}

function readWordOperator(cursor: Cursor): ReadOperator | undefined {
  const word = keywordAhead(cursor);
  if (word === 'not') return readNegated(cursor);
  const operation = WORD_OPERATORS.get(word);
  return operation && pass(cursor, operation, word.length);
}

function readNegated(cursor: Cursor): ReadOperator | undefined {
  const start = cursor.at;
  cursor.at += 'not'.length;
  cursor.skipSpace();
  if (cursor.atEnd) {
    const expected = ['in', 'exists'];
    throw mistake('UNEXPECTED_END', cursor.spanAhead(0), 'an operator is missing after "not"', { expected });
  }
  const word = keywordAhead(cursor);
  const operation = NEGATED_OPERATORS.get(word);
  const length = cursor.at - start + word.length;
  cursor.at = start;
  return operation && pass(cursor, operation, length);
}

function pass(cursor: Cursor, operation: Operation, length: number): ReadOperator {
  const position = cursor.at;
  cursor.at += length;
  const text = cursor.text.slice(position, cursor.at);
  if (operation.kind !== 'unsupported') return { operation, text, position };
  const detail = `"${text}" is not supported`;
  throw mistake('UNSUPPORTED_SYNTAX', cursor.spanFrom(position), detail, { hint: operation.hint });
}

function refuseForeign(cursor: Cursor): void {
  let length = 1;
  while (length < 4 && isAsciiLetter(cursor.code(length))) length++;
  const sign = cursor.text.slice(cursor.at, cursor.at + length + 1).toLowerCase();
  const rewrite = FOREIGN_OPERATORS.get(sign);
  if (rewrite === undefined) return;
  const detail = sign.length > 2 ? `"${sign}" is RSQL/FIQL` : `"${sign}" is no operator`;
  throw mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(sign.length), detail, { hint: `write ${rewrite}` });
}
