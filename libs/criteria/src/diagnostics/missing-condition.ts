import { connectorAhead } from '../parse/keywords.js';
import { readQuoted } from '../parse/strings.js';
import { isDigit, isForeignComma, isNameCharacter, isSpace, isTypographicQuote } from '../text/characters.js';
import { type CriteriaError, type CriteriaErrorCode, criteriaError, type Hint } from './criteria-error.js';
import { foreignSign } from './foreign-operators.js';
import { commaHint, joint, relationHint, repeatedValue } from './joined-values.js';
import { echo } from './snippet.js';
import type { FailedText } from './source.js';
import { afterSpace, cursorAt, isClosed, literalAt, opensCondition, scalarOf, sourceOf } from './source.js';

/** The maximum length of a name in brackets. */
const MAX_BRACKETED_LENGTH = 80;
const BRACKETED_NAME = /^\[\s{0,9}([\p{L}\p{N}_.-]+)\s{0,9}\]/u;
const CONDITION = ['field', 'not', '('];

/** Explains a missing condition. */
export function missingCondition(failed: FailedText): CriteriaError {
  const { text, at } = failed;
  if (at >= text.length) {
    return criteriaError('UNEXPECTED_END', { position: at, length: 0 }, 'a comparison is missing at the end', {
      expected: CONDITION,
    });
  }
  if (text.startsWith('..', at)) {
    return unexpected(text, at, CONDITION, 'a range is written field:a..b, without blanks');
  }
  const connector = connectorAhead(cursorAt(text, at));
  if (connector !== undefined) return missingBefore(text, at, connector.length);
  return operatorBetweenSigns(failed) ?? atSign(failed);
}

function missingBefore(text: string, position: number, length: number): CriteriaError {
  const span = { position, length };
  const detail = `a comparison is missing before "${sourceOf(text, span)}"`;
  return criteriaError('UNEXPECTED_TOKEN', span, detail, { expected: CONDITION });
}

/** Explains an operator of RSQL, as in `rating=gt=3`. The parser reads its letters as the value of `=`. */
export function operatorBetweenSigns(failed: FailedText): CriteriaError | undefined {
  const { at, before } = failed;
  const value = scalarOf(before);
  if (before === undefined || value === undefined || value.position !== before.operatorAt + 1) return undefined;
  return value.position + value.length === at
    ? foreignSign(failed, before.operatorAt, at + 1 - before.operatorAt, before.field)
    : undefined;
}

/** Explains the symbol in the place of a condition. */
function atSign(failed: FailedText): CriteriaError {
  const { text, at, start } = failed;
  switch (text.charAt(at)) {
    case '"':
    case "'":
      return loneString(failed);
    case '[':
    case '{':
      return inBrackets(failed);
    case ',':
    case '，':
    case '、':
    case '،':
      return unexpected(text, at, CONDITION, commaHint(failed));
    case ')':
      if (start >= 0) return missingBefore(text, at, 1);
      return criteriaError('UNBALANCED_PAREN', { position: at, length: 1 }, '")" has no matching "("');
    case '<':
    case '>':
      return unexpected(text, at, CONDITION, relationHint(failed));
    case '+':
      return unexpected(
        text,
        at,
        CONDITION,
        isRequired(text, at) ? 'leave "+" out: a condition must hold anyway' : undefined,
      );
    case '-':
      return unexpected(
        text,
        at,
        ['field'],
        text.startsWith('--', at - 1) ? 'criteria hold no comments' : 'a "-" stands close before its term',
      );
    case ':':
      return unexpected(text, at, CONDITION, colonHint(text, at));
    default:
      return unexpected(text, at, CONDITION);
  }
}

/** `[ticker] = x`, as some databases quote a name, or JSON. */
function inBrackets({ text, at: position }: FailedText): CriteriaError {
  const [whole = '', name = ''] = BRACKETED_NAME.exec(text.slice(position, position + MAX_BRACKETED_LENGTH)) ?? [];
  const isName = whole !== '' && opensCondition(`${name} ${text.slice(position + whole.length)}`, 0);
  const [length, detail, hint] = isName
    ? [whole.length, 'a name in brackets is not supported', `write ${echo(name)}`]
    : [1, 'criteria is text, not JSON', 'for example: ticker:BCT and rating>=3'];
  return criteriaError('UNSUPPORTED_SYNTAX', { position, length }, detail, { hint });
}

function loneString(failed: FailedText): CriteriaError {
  const value = readQuoted(cursorAt(failed.text, failed.at));
  const isCompared = /^\s{0,9}[=!<>]/.test(
    failed.text.slice(value.position + value.length, value.position + value.length + 10),
  );
  const hint = isCompared
    ? 'the field stands first, without quotes: field = value'
    : 'use the fullTextSearch parameter for free text; field names are written without quotes';
  return criteriaError('MISSING_OPERATOR', value, `"${echo(value.text)}" stands alone`, {
    hint: repeatedValue(failed, value) ?? hint,
    expected: ['field'],
  });
}

/** A value with a colon, Excel's `2012:2015`, or a cast of PostgreSQL, `::date`. */
function colonHint(text: string, at: number): string | undefined {
  if (text.charAt(at + 1) === ':') return undefined;
  const isRange = /^\d{4}:\d/.test(text.slice(Math.max(0, at - 4), at + 2));
  return isRange
    ? 'a range is written field:a..b; quote a value that holds a colon'
    : 'quote a value that holds a colon';
}

interface Sign {
  readonly code: CriteriaErrorCode;
  readonly detail: string;
  readonly hint: string;
}

const QUOTE_HINT = 'use a straight quote: " or \'';
const COMMA_HINT = 'several values are field in (a, b); for a decimal use a dot';

/** Symbols that are not part of the language, or only doubled. */
const SIGNS: Readonly<Record<string, Sign>> = {
  '&': { code: 'UNEXPECTED_CHARACTER', detail: 'single "&"', hint: '' },
  '|': { code: 'UNEXPECTED_CHARACTER', detail: 'single "|"', hint: '' },
  '`': { code: 'UNEXPECTED_CHARACTER', detail: 'unexpected "`"', hint: QUOTE_HINT },
  ';': { code: 'UNSUPPORTED_SYNTAX', detail: '";" is RSQL/FIQL', hint: '' },
  '~': {
    code: 'UNSUPPORTED_SYNTAX',
    detail: 'fuzzy matching ("~") is not supported',
    hint: 'fullTextSearch forgives small typos',
  },
  '^': {
    code: 'UNSUPPORTED_SYNTAX',
    detail: 'boosting ("^") is not supported',
    hint: 'leave it out: criteria select, they do not rank',
  },
};

/** Tokens of one character. */
const GRAMMAR_SIGNS = '()[]{}:=!<>*"\',';
/** A token of several characters, to be marked as a whole. */
const TOKEN = /&&|\|\||/y;
/** The maximum length of a word that is marked as a whole. */
const MAX_WORD_LENGTH = 256;

/** Explains an unexpected character or word. */
export function unexpected(text: string, at: number, expected: readonly string[], hint?: string): CriteriaError {
  const character = text.slice(at, at + 1);
  TOKEN.lastIndex = at;
  const connector = TOKEN.exec(text)?.[0].length ?? 0;
  if (connector > 0) return token(text, at, connector, { expected, hint });
  const sign = SIGNS[character];
  if (sign !== undefined) return unexpectedSign(text, at, sign, expected);
  const span = { position: at, length: 1 };
  if (isTypographicQuote(text.charCodeAt(at))) {
    return criteriaError('UNEXPECTED_CHARACTER', span, `typographic quote ${character}`, { hint: QUOTE_HINT });
  }
  const takesComma = expected.includes(',');
  if (isForeignComma(text.charCodeAt(at))) {
    const commaHint = takesComma ? 'use a plain comma' : (hint ?? COMMA_HINT);
    return criteriaError('UNEXPECTED_CHARACTER', span, `foreign comma ${character}`, { hint: commaHint });
  }
  if (character === ',') return token(text, at, 1, { expected, hint: hint ?? COMMA_HINT });
  return token(text, at, wordLength(text, at), { expected, hint });
}

function token(text: string, position: number, length: number, advice: Hint): CriteriaError {
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
function unexpectedSign(text: string, position: number, sign: Sign, expected: readonly string[]): CriteriaError {
  let length = 1;
  while (sign.code === 'UNSUPPORTED_SYNTAX' && isDigit(text.charCodeAt(position + length))) length++;
  const hint = HINT_OF[text.charAt(position)]?.(text, position, expected) || sign.hint;
  return criteriaError(sign.code, { position, length }, sign.detail, hint === '' ? {} : { hint });
}

/** Lucene's `+` of a term, close before it; and one at the end, as in `3+`. */
function isRequired(text: string, at: number): boolean {
  if (text.slice(at + 1).trim() === '') return true;
  const isStart = at === 0 || isSpace(text.charCodeAt(at - 1)) || text.charAt(at - 1) === '(';
  return (
    isStart &&
    (text.charAt(at + 1) === '(' || (isNameCharacter(text.charCodeAt(at + 1)) && opensCondition(text, at + 1)))
  );
}

const STAGE = /^(?:count|distinct|extend|project|render|summarize|evaluate)\b/i;
const MAX_STAGE = 12;

/** An `or` for conditions and values, and in Kusto the start of a stage. */
function pipeHint(text: string, at: number): string {
  const next = afterSpace(text, at + 1);
  if (/^where\b/i.test(text.slice(next, next + 'where '.length))) return 'leave it out';
  if (joins(text, at)) return joint('or', text, at);
  const value = STAGE.test(text.slice(next, next + MAX_STAGE)) ? undefined : literalAt(text, next);
  const isExpression = value?.text.endsWith('/') ?? false;
  const isValue = value !== undefined && !isExpression && isClosed(text, value.position + value.length);
  return isValue ? 'several values are written field:(a or b)' : '';
}

const HINT_OF: Readonly<Record<string, (text: string, at: number, expected: readonly string[]) => string>> = {
  '&': (text, at) => `${joins(text, at) ? `${joint('and', text, at)}; ` : ''}in a URL encode & as %26`,
  ';': semicolonHint,
  '|': pipeHint,
  // Kusto's `in~`.
  '~': (text, at) => (/\w/.test(text.charAt(at - 1)) && text.charAt(at + 1) === ' ' ? 'letter case never matters' : ''),
};

/** RSQL's `and`, which some people also put at the end or between the values of a list. */
function semicolonHint(text: string, at: number, expected: readonly string[]): string {
  if (expected.includes(',')) return 'a comma stands between values';
  if (expected.includes('TO')) return 'an interval is written [a TO b]';
  if (text.slice(at + 1).trim() === '') return 'leave it out';
  return joins(text, at) ? joint('and', text, at) : '';
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
