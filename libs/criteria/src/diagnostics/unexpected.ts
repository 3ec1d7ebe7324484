import { isDigit, isForeignComma, isNameCharacter, isTypographicQuote } from '../text/characters.js';
import { type Advice, type CriteriaError, type CriteriaErrorCode, criteriaError } from './criteria-error.js';
import { echo } from './snippet.js';

interface Sign {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
  readonly hint: string;
}

const QUOTE_HINT = 'use a straight quote: " or \'';
const COMMA_HINT = 'for several values write field in (a, b); for a decimal use a dot';

/** Signs that have no place in the language, or only doubled. */
const SIGNS: Readonly<Record<string, Sign>> = {
  '&': { code: 'UNEXPECTED_CHARACTER', detail: 'single "&"', hint: 'write "and" or "&&"; in a URL encode & as %26' },
  '|': { code: 'UNEXPECTED_CHARACTER', detail: 'single "|"', hint: 'write "or" or "||"' },
  '`': { code: 'UNEXPECTED_CHARACTER', detail: 'unexpected "`"', hint: QUOTE_HINT },
  ';': { code: 'UNSUPPORTED_SYNTAX', detail: '";" is RSQL/FIQL', hint: 'write and' },
  '~': {
    code: 'UNSUPPORTED_SYNTAX',
    detail: 'fuzzy matching ("~") is not supported',
    hint: 'leave it out; fullTextSearch forgives small typos',
  },
  '^': {
    code: 'UNSUPPORTED_SYNTAX',
    detail: 'boosting ("^") is not supported',
    hint: 'leave it out: criteria select, they do not rank',
  },
};

/** Tokens of one sign. */
const GRAMMAR_SIGNS = '()[]{}:=!<>*"\',';
/** A token of several characters, to be marked as a whole. */
const TOKEN = /&&|\|\||/y;
/** How far a word is followed to mark it as a whole. */
const MAX_WORD_LENGTH = 256;

/** Explains a character or word that stands where something else is due. */
export function unexpected(text: string, at: number, expected: readonly string[], hint?: string): CriteriaError {
  const character = text.slice(at, at + 1);
  TOKEN.lastIndex = at;
  const connector = TOKEN.exec(text)?.[0].length ?? 0;
  if (connector > 0) return token(text, at, connector, { expected, hint });
  const sign = SIGNS[character];
  if (sign !== undefined) return foreignSign(text, at, sign, expected);
  const span = { position: at, length: 1 };
  if (isTypographicQuote(text.charCodeAt(at))) {
    return criteriaError('UNEXPECTED_CHARACTER', span, `typographic quote ${character}`, { hint: QUOTE_HINT });
  }
  const takesComma = expected.includes(',');
  if (isForeignComma(text.charCodeAt(at))) {
    const commaHint = takesComma ? 'write a plain comma: ,' : (hint ?? COMMA_HINT);
    return criteriaError('UNEXPECTED_CHARACTER', span, `foreign comma ${character}`, { hint: commaHint });
  }
  if (character === ',') return token(text, at, 1, { expected, hint: hint ?? COMMA_HINT });
  return token(text, at, wordLength(text, at), { expected, hint });
}

function token(text: string, position: number, length: number, advice: Advice): CriteriaError {
  const found = text.slice(position, position + length);
  const isToken = isNameCharacter(found.charCodeAt(0)) || GRAMMAR_SIGNS.includes(found) || /^(&&|\|\|)$/.test(found);
  const code = isToken ? 'UNEXPECTED_TOKEN' : 'UNEXPECTED_CHARACTER';
  return criteriaError(code, { position, length }, `unexpected "${echo(found)}"`, advice);
}

/** Returns the length of the word at a position, or of the character that is in no word. */
function wordLength(text: string, at: number): number {
  let length = 0;
  while (length < MAX_WORD_LENGTH && isNameCharacter(text.charCodeAt(at + length))) length++;
  return length || String.fromCodePoint(text.codePointAt(at) ?? 0).length;
}

/** `^2` and `~1` are marked with their number. */
function foreignSign(text: string, position: number, sign: Sign, expected: readonly string[]): CriteriaError {
  let length = 1;
  while (sign.code === 'UNSUPPORTED_SYNTAX' && isDigit(text.charCodeAt(position + length))) length++;
  const hint = text.charAt(position) === ';' ? semicolonHint(text, position, expected) : sign.hint;
  return criteriaError(sign.code, { position, length }, sign.detail, { hint });
}

/** RSQL's and, which some also put at an end or between the values of a list. */
function semicolonHint(text: string, at: number, expected: readonly string[]): string {
  if (expected.includes(',')) return 'write a comma between values';
  return text.slice(at + 1).trim() === '' ? 'leave it out' : 'write and';
}
