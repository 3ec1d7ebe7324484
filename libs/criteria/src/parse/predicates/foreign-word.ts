import { echo } from '../../errors/echo.js';
import { isDigit } from '../characters.js';
import { CODE } from '../codes.js';
import type { Cursor } from '../cursor.js';
import type { NameNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';
import { afterSpace, nameAt, rewriteOf, valueAt } from './foreign-rewrites.js';

/** Longest sign of a match in other languages: `!~*`. */
const MATCH_SIGNS = '!=~*';

/** The mistake of an operator that another language has, as in `name contains x` or `name ~ x`. */
export function foreignOperator(cursor: Cursor, field: NameNode): SyntaxMistake | undefined {
  return matchSign(cursor, field) ?? foreignWord(cursor, field);
}

/** `~`, `~*`, `!~`; but `word~2` is a word with a distance. */
function matchSign(cursor: Cursor, field: NameNode): SyntaxMistake | undefined {
  const isNegated = cursor.code() === CODE.exclamation;
  if (cursor.code(isNegated ? 1 : 0) !== CODE.tilde) return undefined;
  let length = 1;
  while (length <= 2 && MATCH_SIGNS.includes(cursor.text.charAt(cursor.at + length) || ' ')) length++;
  const sign = cursor.text.slice(cursor.at, cursor.at + length);
  if (cursor.at === field.position + field.length && isDigit(cursor.code(length))) return undefined;
  const value = echo(valueAt(cursor.text, cursor.at + length)) || 'value';
  return mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(length), `"${sign}" is not supported`, {
    hint: `write ${isNegated ? 'not ' : ''}${echo(field.text)}:"${value}"`,
  });
}

function foreignWord(cursor: Cursor, field: NameNode): SyntaxMistake | undefined {
  const word = nameAt(cursor.text, cursor.at);
  const rewrite = rewriteOf(word);
  if (rewrite === undefined) return undefined;
  const after = afterSpace(cursor.text, cursor.at + word.length);
  const isTwoWords = nameAt(cursor.text, after).toLowerCase() === 'with';
  const value = echo(valueAt(cursor.text, isTwoWords ? after + 'with'.length : after)) || 'value';
  return mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(word.length), `"${word}" is not supported`, {
    hint: `write ${rewrite(echo(field.text), value)}`,
  });
}
