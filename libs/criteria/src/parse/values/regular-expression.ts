import { CODE, isAsciiLetter, isDigit, isSpace } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';

/** Signs of regular expressions that end a word too early. */
const CUTTING = '([{^';

/** An expression with flags behind it. */
const FLAGGED = /^(\/.+\/)[gimsuy]{1,3}$/;

/**
 * Lets a word pass that merely begins with a slash.
 *
 * @throws {SyntaxMistake} when it is a regular expression `/…/`
 */
export function refuseRegularExpression(cursor: Cursor, word: ValueNode): void {
  const end = closingSlash(cursor, word);
  if (end === undefined) return;
  const pattern = asPattern(cursor.text.slice(word.position + 1, end));
  throw mistake(
    'UNSUPPORTED_SYNTAX',
    { position: word.position, length: end + 1 - word.position },
    'regular expressions are not supported',
    { hint: pattern === undefined ? 'use * and ? wildcards' : `use * and ? wildcards: write ${pattern}` },
  );
}

/** Where the expression ends; the text behind the word is looked at only when a bracket cut it short. */
function closingSlash(cursor: Cursor, { position, length }: ValueNode): number | undefined {
  const { text, at } = cursor;
  if (length > 1 && text.charCodeAt(at - 1) === CODE.slash) return at - 1;
  const flagged = FLAGGED.exec(text.slice(position, at))?.[1];
  if (flagged !== undefined) return position + flagged.length - 1;
  if (cursor.atEnd || !CUTTING.includes(text.charAt(at))) return undefined;
  let last = position;
  for (let next = at; next < text.length && !isSpace(text.charCodeAt(next)); next++) {
    if (text.charCodeAt(next) === CODE.slash) last = next;
  }
  if (last === position && text.charCodeAt(at) !== CODE.openingParenthesis) last = slashBehindBlanks(text, at) ?? last;
  const after = text.charAt(last + 1).trim();
  return last > position && (after === '' || after === ')') ? last : undefined;
}

/** Behind a word no such bracket ends well, so there the expression may as well hold blanks. */
function slashBehindBlanks(text: string, from: number): number | undefined {
  const ending = /\/(?=[\s)]|$)/g;
  ending.lastIndex = from;
  return ending.exec(text)?.index;
}

/** The same as a pattern, when only `.` and `.*` stand between letters and digits. */
export function asPattern(expression: string): string | undefined {
  let pattern = '';
  for (let at = 0; at < expression.length; at++) {
    const code = expression.charCodeAt(at);
    const isRepeated = expression.charCodeAt(at + 1) === CODE.star;
    if (code === CODE.dot) pattern += isRepeated ? '*' : '?';
    else if ((isDigit(code) || isAsciiLetter(code)) && !isRepeated) pattern += expression.charAt(at);
    else return undefined;
    if (isRepeated) at++;
  }
  return pattern === '' ? undefined : pattern;
}
