import type { CriteriaErrorCode } from '../errors/criteria-error.js';
import { echo } from '../errors/echo.js';
import { isDigit, isForeignComma, isNameCharacter, isTypographicQuote } from '../text/characters.js';
import { connectorAhead } from './connector.js';
import type { Cursor } from './cursor.js';
import { mistake, type SyntaxMistake } from './syntax-mistake.js';

interface Sign {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
  readonly hint: string;
}

/** Signs that have no place in the language, or only doubled. */
const SIGNS: ReadonlyMap<string, Sign> = new Map([
  ['&', { code: 'UNEXPECTED_CHARACTER', detail: 'single "&"', hint: 'write "and" or "&&"; in a URL encode & as %26' }],
  ['|', { code: 'UNEXPECTED_CHARACTER', detail: 'single "|"', hint: 'write "or" or "||"' }],
  ['`', { code: 'UNEXPECTED_CHARACTER', detail: 'unexpected "`"', hint: 'use a straight quote: " or \'' }],
  [';', { code: 'UNSUPPORTED_SYNTAX', detail: '";" is RSQL/FIQL', hint: 'write and' }],
  [
    '~',
    {
      code: 'UNSUPPORTED_SYNTAX',
      detail: 'fuzzy matching ("~") is not supported',
      hint: 'leave it out; fullTextSearch forgives small typos',
    },
  ],
  [
    '^',
    {
      code: 'UNSUPPORTED_SYNTAX',
      detail: 'boosting ("^") is not supported',
      hint: 'leave it out: criteria select, they do not rank',
    },
  ],
]);

const COMMA_HINT = 'for several values write field in (a, b); for a decimal use a dot';
const GRAMMAR_SIGNS = '()[]{}:=!<>*"\',';

/** How far a word is followed to mark it whole. */
const LONGEST_WORD = 256;

/** The mistake of finding the next character where something else is due. */
export function unexpected(cursor: Cursor, expected: readonly string[], hint?: string): SyntaxMistake {
  const character = cursor.character();
  const connector = connectorAhead(cursor);
  if (connector !== undefined) return unexpectedToken(cursor, connector.length, expected, hint);
  const sign = SIGNS.get(character);
  if (sign !== undefined)
    return foreignSign(cursor, character === ';' ? { ...sign, hint: semicolonHint(cursor, expected) } : sign);
  if (isTypographicQuote(cursor.code())) {
    const advice = { hint: 'use a straight quote: " or \'' };
    return mistake('UNEXPECTED_CHARACTER', cursor.spanAhead(1), `typographic quote ${character}`, advice);
  }
  if (isForeignComma(cursor.code())) {
    const advice = { hint: expected.includes(',') ? 'write a plain comma: ,' : (hint ?? COMMA_HINT) };
    return mistake('UNEXPECTED_CHARACTER', cursor.spanAhead(1), `foreign comma ${character}`, advice);
  }
  if (character === ',') return unexpectedToken(cursor, 1, expected, hint ?? COMMA_HINT);
  return unexpectedToken(cursor, wordAhead(cursor) || character.length, expected, hint);
}

function unexpectedToken(
  cursor: Cursor,
  length: number,
  expected: readonly string[],
  hint: string | undefined,
): SyntaxMistake {
  const token = cursor.text.slice(cursor.at, cursor.at + length);
  const isToken = length > 1 || isNameCharacter(cursor.code()) || GRAMMAR_SIGNS.includes(token);
  const code = isToken ? 'UNEXPECTED_TOKEN' : 'UNEXPECTED_CHARACTER';
  const advice = hint === undefined ? { expected } : { expected, hint };
  return mistake(code, cursor.spanAhead(length), `unexpected "${echo(token)}"`, advice);
}

/** RSQL's and, which some also put at an end or between the values of a list. */
function semicolonHint({ text, at }: Cursor, expected: readonly string[]): string {
  if (expected.includes(',')) return 'write a comma between values';
  return text.slice(at + 1).trim() === '' ? 'leave it out' : 'write and';
}

function wordAhead(cursor: Cursor): number {
  let length = 0;
  while (length < LONGEST_WORD && isNameCharacter(cursor.code(length))) length++;
  return length;
}

/** `^2` and `~1` are marked with their number. */
function foreignSign(cursor: Cursor, { code, detail, hint }: Sign): SyntaxMistake {
  let length = 1;
  while (code === 'UNSUPPORTED_SYNTAX' && isDigit(cursor.code(length))) length++;
  return mistake(code, cursor.spanAhead(length), detail, { hint });
}
