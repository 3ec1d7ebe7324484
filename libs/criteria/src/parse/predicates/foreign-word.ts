import { echo } from '../../errors/echo.js';
import { CODE, isDigit } from '../../text/characters.js';
import { afterSpace, listAt, literalAt, nameAt } from '../advice/ahead.js';
import type { Cursor } from '../cursor.js';
import type { NameNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';
import { type Asked, equality, matchRewrite, rewriteOf } from './foreign-rewrites.js';

/** Longest sign of a match in other languages: `!~*`. */
const MATCH_SIGNS = '!=~*';

/** The mistake of an operator that another language has, as in `name contains x` or `name ~ x`. */
export function foreignOperator(cursor: Cursor, field: NameNode): SyntaxMistake | undefined {
  return matchSign(cursor, field) ?? foreignWord(cursor, field);
}

/** What a foreign operator was applied to, when its value stands at a place in the text. */
export function askedOf({ text, fields }: Cursor, name: string, valueAt: number): Asked {
  const value = literalAt(text, valueAt)?.text;
  return { name: echo(name), field: fields?.find(name), value, list: echo(listAt(text, valueAt)) };
}

/** `~`, `~*`, `!~`; but `word~2` is a word with a distance. */
function matchSign(cursor: Cursor, field: NameNode): SyntaxMistake | undefined {
  const isNegated = cursor.code() === CODE.exclamation;
  if (cursor.code(isNegated ? 1 : 0) !== CODE.tilde) return undefined;
  let length = 1;
  while (length <= 2 && MATCH_SIGNS.includes(cursor.text.charAt(cursor.at + length) || ' ')) length++;
  const sign = cursor.text.slice(cursor.at, cursor.at + length);
  if (cursor.at === field.position + field.length && isDigit(cursor.code(length))) return undefined;
  const asked = askedOf(cursor, field.text, cursor.at + length);
  const hint = isNegated ? `write not ${equality(asked)}` : matchRewrite(asked);
  return mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(length), `"${sign}" is not supported`, { hint });
}

function foreignWord(cursor: Cursor, field: NameNode): SyntaxMistake | undefined {
  const word = nameAt(cursor.text, cursor.at);
  const rewrite = rewriteOf(word);
  if (rewrite === undefined) return undefined;
  const after = afterSpace(cursor.text, cursor.at + word.length);
  const isTwoWords = nameAt(cursor.text, after).toLowerCase() === 'with';
  const asked = askedOf(cursor, field.text, isTwoWords ? after + 'with'.length : after);
  const span = cursor.spanAhead(word.length);
  return mistake('UNSUPPORTED_SYNTAX', span, `"${word}" is not supported`, { hint: rewrite(asked) });
}
