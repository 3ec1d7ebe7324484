import { CODE, isAsciiLetter, isOperatorSign } from '../../text/characters.js';
import { bare } from '../advice/spell.js';
import type { Cursor } from '../cursor.js';
import { afterSpaceAhead, keywordAhead } from '../keyword.js';
import type { NameNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { type Asked, compared, matchRewrite } from './foreign-rewrites.js';
import { askedOf } from './foreign-word.js';
import { nullTestAhead } from './null-test.js';
import {
  ABSENT,
  FOREIGN_OPERATORS,
  LONGEST_SIGN,
  NEGATED_OPERATORS,
  type Operation,
  PRESENT,
  SIGN_BITS,
  SIGN_OPERATORS,
  WORD_OPERATORS,
} from './operators.js';

/** The letters of `=out=` and its opening sign. */
const LONGEST_RSQL = 4;

/** An operator that was read: what it does, and how and where it stands. */
export interface ReadOperator {
  readonly operation: Operation;
  readonly text: string;
  readonly position: number;
}

/** Reads the operator after a field; nothing is passed when there is none. */
export function readOperator(cursor: Cursor, field: NameNode): ReadOperator | undefined {
  return isAsciiLetter(cursor.code()) ? readWordOperator(cursor, field) : readSignOperator(cursor, field);
}

function readSignOperator(cursor: Cursor, field: NameNode): ReadOperator | undefined {
  if (cursor.code() === CODE.equals) refuseRsql(cursor, field);
  let length = 0;
  let key = 0;
  for (; length < LONGEST_SIGN && isOperatorSign(cursor.code(length)); length++) {
    key = (key << SIGN_BITS) | cursor.code(length);
  }
  for (; length > 0; length--, key >>= SIGN_BITS) {
    const operator = SIGN_OPERATORS.get(key);
    if (operator !== undefined) return pass(cursor, operator.operation, operator.text);
    refuseForeign(cursor, field, cursor.text.slice(cursor.at, cursor.at + length));
  }
  return undefined;
}

function readWordOperator(cursor: Cursor, field: NameNode): ReadOperator | undefined {
  const word = keywordAhead(cursor);
  if (word === 'not') return readNegated(cursor);
  if (word === 'is') return readNullTest(cursor, field);
  const operation = WORD_OPERATORS.get(word);
  return operation && pass(cursor, operation, cursor.text.slice(cursor.at, cursor.at + word.length));
}

function readNegated(cursor: Cursor): ReadOperator | undefined {
  const second = afterSpaceAhead(cursor, 'not'.length);
  if (cursor.at + second >= cursor.text.length) {
    const expected = [...NEGATED_OPERATORS.keys()];
    const end = { position: cursor.text.length, length: 0 };
    throw mistake('UNEXPECTED_END', end, 'an operator is missing after "not"', { expected });
  }
  const word = keywordAhead(cursor, second);
  const operation = NEGATED_OPERATORS.get(word);
  return operation && pass(cursor, operation, cursor.text.slice(cursor.at, cursor.at + second + word.length));
}

function readNullTest(cursor: Cursor, field: NameNode): ReadOperator {
  const { length, isNegated } = nullTestAhead(cursor, field);
  return pass(cursor, isNegated ? PRESENT : ABSENT, cursor.text.slice(cursor.at, cursor.at + length));
}

function pass(cursor: Cursor, operation: Operation, text: string): ReadOperator {
  const position = cursor.at;
  cursor.at += text.length;
  return { operation, text, position };
}

/** `=gt=` and its like; of `source=gt` nothing is refused. */
function refuseRsql(cursor: Cursor, field: NameNode): void {
  let length = 1;
  while (length < LONGEST_RSQL && isAsciiLetter(cursor.code(length))) length++;
  const next = cursor.code(length);
  if (next !== CODE.tilde && (length === 1 || next !== CODE.equals)) return;
  refuseForeign(cursor, field, cursor.text.slice(cursor.at, cursor.at + length + 1));
}

function refuseForeign(cursor: Cursor, field: NameNode, sign: string): void {
  const rewrite = FOREIGN_OPERATORS.get(sign.toLowerCase());
  if (rewrite === undefined) return;
  const detail = sign.length > 3 ? `"${sign}" is RSQL/FIQL` : `"${sign}" is no operator here`;
  const asked = askedOf(cursor, field.text, cursor.at + sign.length);
  throw mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(sign.length), detail, { hint: hintFor(rewrite, asked) });
}

function hintFor(rewrite: string, asked: Asked): string {
  if (rewrite === ':') return matchRewrite(asked);
  if ('<>'.includes(rewrite.charAt(0))) return compared(rewrite)(asked);
  const value = asked.value === undefined ? '' : bare(asked.value);
  return `write ${asked.name} ${rewrite.replace('…', asked.list || '…')} ${value}`.trimEnd();
}
