import { isDigit, isForeignComma, isNameCharacter, isTypographicQuote } from '../text/characters.js';
import {
  type CriteriaErrorCode,
  type Explanation,
  explanation,
  type HelpWithHint,
  type Hint,
} from './criteria-error.js';
import { joint } from './joined-values.js';
import { JOINS_HINT } from './language-words.js';
import { leaveOut } from './proposals.js';
import { echo } from './snippet.js';
import { afterSpace, isClosed, literalAt, opensCondition } from './source.js';
import { NO_EXPRESSIONS } from './text-translations.js';

/** Returns the hint for a sign; undefined where none fits. */
type SignHint = (text: string, at: number, expected: readonly string[]) => Hint | undefined;

interface Sign {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
  readonly hint: Hint | SignHint;
}

const QUOTE_HINT = 'use a straight quote: " or \'';
const COMMA_HINT = 'several values are field in (a, b); for a decimal use a dot';

/** Symbols that are not part of the language, or only doubled. */
const SIGNS: Readonly<Record<string, Sign>> = {
  '&': { code: 'UNEXPECTED_CHARACTER', detail: 'single "&"', hint: ampersandHint },
  '|': { code: 'UNEXPECTED_CHARACTER', detail: 'single "|"', hint: pipeHint },
  '`': { code: 'UNEXPECTED_CHARACTER', detail: 'unexpected "`"', hint: QUOTE_HINT },
  ';': { code: 'UNSUPPORTED_SYNTAX', detail: '";" is RSQL/FIQL', hint: semicolonHint },
  '~': {
    code: 'UNSUPPORTED_SYNTAX',
    detail: '"~" is not supported',
    hint: tildeHint,
  },
  '^': {
    code: 'UNSUPPORTED_SYNTAX',
    detail: '"^" is not supported',
    hint: caretHint,
  },
};

/** Tokens of one character. */
const GRAMMAR_SIGNS = '()[]{}:=!<>*"\',';
/** A token of several characters, to be marked as a whole. */
const TOKEN = /&&|\|\||/y;
/** The maximum length of a word that is marked as a whole. */
const MAX_WORD_LENGTH = 256;

/** Explains an unexpected character or word. */
export function unexpected(text: string, at: number, expected: readonly string[], hint?: Hint): Explanation {
  const character = text.slice(at, at + 1);
  TOKEN.lastIndex = at;
  const connector = TOKEN.exec(text)?.[0].length ?? 0;
  if (connector > 0) return token(text, at, connector, { expected, hint });
  const sign = SIGNS[character];
  if (sign !== undefined) return unexpectedSign(text, at, sign, expected);
  const span = { position: at, length: 1 };
  if (isTypographicQuote(text.charCodeAt(at))) {
    return explanation('UNEXPECTED_CHARACTER', span, `typographic quote ${character}`, { hint: QUOTE_HINT });
  }
  const takesComma = expected.includes(',');
  if (isForeignComma(text.charCodeAt(at))) {
    const commaHint = takesComma ? 'use a plain comma' : (hint ?? COMMA_HINT);
    return explanation('UNEXPECTED_CHARACTER', span, `foreign comma ${character}`, { hint: commaHint });
  }
  if (character === ',') return token(text, at, 1, { expected, hint: hint ?? COMMA_HINT });
  return token(text, at, wordLength(text, at), { expected, hint });
}

function token(text: string, position: number, length: number, help: HelpWithHint): Explanation {
  const found = text.slice(position, position + length);
  const isToken = isNameCharacter(found.charCodeAt(0)) || GRAMMAR_SIGNS.includes(found) || /^(&&|\|\|)$/.test(found);
  const code = isToken ? 'UNEXPECTED_TOKEN' : 'UNEXPECTED_CHARACTER';
  return explanation(code, { position, length }, `unexpected "${echo(found)}"`, help);
}

/** Returns the length of the word at a position, or of the character that is in no word. */
function wordLength(text: string, at: number): number {
  let length = 0;
  while (length < MAX_WORD_LENGTH && isNameCharacter(text.charCodeAt(at + length))) length++;
  return length || String.fromCodePoint(text.codePointAt(at) ?? 0).length;
}

/** `^2` and `~1` are marked with their number. */
function unexpectedSign(text: string, position: number, sign: Sign, expected: readonly string[]): Explanation {
  let length = 1;
  while (sign.code === 'UNSUPPORTED_SYNTAX' && isDigit(text.charCodeAt(position + length))) length++;
  const hint = typeof sign.hint === 'function' ? sign.hint(text, position, expected) : sign.hint;
  return explanation(sign.code, { position, length }, sign.detail, { hint });
}

const STAGE = /^(?:count|distinct|extend|project|render|summarize|evaluate)\b/i;
const MAX_STAGE = 12;

/** An `or` for conditions and values, and in Kusto the start of a stage. */
function pipeHint(text: string, at: number): Hint {
  const next = afterSpace(text, at + 1);
  if (/^where\b/i.test(text.slice(next, next + 'where '.length))) return leaveOut('leave it out');
  if (joins(text, at)) return joint('or', text, at);
  const value = STAGE.test(text.slice(next, next + MAX_STAGE)) ? undefined : literalAt(text, next);
  const isExpression = value?.text.endsWith('/') ?? false;
  const isValue = value !== undefined && !isExpression && isClosed(text, value.position + value.length);
  return isValue
    ? 'several values are written field:(a or b)'
    : 'criteria are conditions alone, without stages behind a "|"';
}

const PARAMETER = /^&\s{0,9}(?:criteria|fullTextSearch|text|cursor|kind|page|offset|q|search|format|api_?key)\s{0,9}=/i;
const PARAMETER_REACH = 40;

function ampersandHint(text: string, at: number, expected: readonly string[]): Hint {
  if (expected.includes('value')) return 'quote a value that contains "&"';
  if (PARAMETER.test(text.slice(at, at + PARAMETER_REACH)))
    return 'another parameter of the request is no part of criteria';
  return joins(text, at) ? joint('and', text, at) : JOINS_HINT;
}

/** Lucene's boost, a power, or the start in a regular expression. */
function caretHint(text: string, at: number, expected: readonly string[]): Hint {
  if (expected.includes('value')) return NO_EXPRESSIONS;
  const isPower = isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
  return isPower
    ? 'a number has all its digits, such as 1000000'
    : leaveOut('leave it out: criteria select, they do not rank');
}

/** Lucene's fuzzy matching and proximity, Kusto's `in~`, and a negation of Python. */
function tildeHint(text: string, at: number, expected: readonly string[]): string {
  if (expected.includes('value')) return 'a value has no sign before it';
  const last = text.charAt(at - 1);
  if (!/[\w"']/.test(last)) return 'a negation is written not';
  if (/["']/.test(last)) return 'words have no distance: field:(a and b) finds both, wherever they are';
  const isOperator = /\b(?:in|has|contains|startswith|endswith)$/i.test(text.slice(Math.max(0, at - 12), at));
  return isOperator ? 'letter case never matters' : 'fullTextSearch forgives small typos';
}

/** RSQL's `and`, which some people also put at the end or between the values of a list. */
function semicolonHint(text: string, at: number, expected: readonly string[]): Hint {
  if (expected.includes(',')) return 'a comma stands between values';
  if (expected.includes('TO')) return 'an interval is written [a TO b]';
  if (text.slice(at + 1).trim() === '') return leaveOut('leave it out');
  if (/^;\s{0,9}--/.test(text.slice(at))) return 'leave it out, and the comment too';
  return joins(text, at) ? joint('and', text, at) : 'several values are field in (a, b)';
}

/**
 * Whether a sign can become a word: before a condition, or within a group of values. `and` between bare values would be an error
 * again.
 */
function joins(text: string, at: number): boolean {
  const next = afterSpace(text, at + 1);
  const isInGroup = text.lastIndexOf('(', at) > text.lastIndexOf(')', at);
  return isInGroup || opensCondition(text, next) || /^(?:\(|not\b|$)/i.test(text.slice(next, next + 'not '.length));
}
