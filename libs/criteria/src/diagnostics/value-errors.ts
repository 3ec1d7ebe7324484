import { operatorsOf } from '../operators.js';
import { isKeywordAhead } from '../parse/keywords.js';
import type { Span } from '../parse/syntax-tree.js';
import { isDigit, isOperatorSign, isSpace } from '../text/characters.js';
import { isDate, isDateTime } from '../text/dates.js';
import { type Explanation, explanation, type Hint } from './criteria-error.js';
import { foreignSign } from './foreign-operators.js';
import { negatedValueHint, RELATION_HINT } from './joined-values.js';
import { shownOnly, worded, writeCondition, writePiece } from './proposals.js';
import { echo } from './snippet.js';
import type { FailedText } from './source.js';
import {
  afterSpace,
  asLiteral,
  bare,
  cursorAt,
  literalAt,
  type Name,
  nameAt,
  nameBefore,
  quotedPattern,
  sourceOf,
} from './source.js';
import { fromRegularExpression, fromSqlPattern, ilike, patternsOf } from './text-translations.js';
import { unexpected } from './unexpected.js';

const LIST_FORMS = 'a list is (a, b), an interval [a TO b]';
/** The hints for these symbols in the place of a value. */
const HINTS: Readonly<Record<string, string>> = {
  '-': 'quote a value that starts with "-"',
  '!': '"not" stands before the field, or before a value in parentheses',
  '(': 'several values are written field:(a or b), field in (a, b) or field not in (a, b); a range is written field:a..b',
  '[': LIST_FORMS,
  '{': LIST_FORMS,
  ':': 'a single colon stands between field and value',
  '=': 'write the signs of an operator without spaces, as in >=',
  '<': RELATION_HINT,
  '>': RELATION_HINT,
};
/** The text before a missing value ends with one of these. */
const LAST_TOKEN = /([:=!<>]+|\.\.|[a-z]+|&&|\|\||.)$/is;
const MAX_TIME = '00:00:00.000+00:00'.length;

/** Explains a missing value. */
export function missingValue(failed: FailedText): Explanation {
  const { text, at } = failed;
  const sign = foreignOperatorAt(failed);
  if (sign !== undefined) return sign;
  if (at >= text.length || /[)\]},]/.test(text.charAt(at))) {
    const [after = ''] = LAST_TOKEN.exec(text.slice(Math.max(0, at - 80), at).trimEnd()) ?? [];
    const detail = `a value is missing after "${after}"`;
    return explanation('MISSING_VALUE', { position: at, length: 0 }, detail, { expected: ['value'] });
  }
  return unexpected(text, at, ['value'], signHint(text, at));
}

/** `===`, `=>`, `=~`: an operator of another language that begins like one of this language. */
function foreignOperatorAt(failed: FailedText): Explanation | undefined {
  const { text, at } = failed;
  let from = at;
  while (isOperatorSign(text.charCodeAt(from - 1))) from--;
  if (from === at) return undefined;
  const name = nameBefore(text, from);
  const lengths = [3, 2].filter((length) => from + length > at);
  return lengths.map((length) => foreignSign(failed, from, length, name)).find((error) => error !== undefined);
}

function signHint(text: string, at: number): Hint | undefined {
  const sign = text.charAt(at);
  if (sign === '-' && isDigit(text.charCodeAt(afterSpace(text, at + 1))))
    return 'write the minus directly before its number';
  const hint = sign === '-' || sign === '!' ? negatedValueHint(text, at, 1) : undefined;
  // `>>` is a doubled sign, not a second comparison.
  if (hint === undefined) return /[<>]/.test(sign) && text.charAt(at - 1) === sign ? undefined : HINTS[sign];
  return sign === '-' ? worded(hint, '', `, or ${HINTS[sign]}`) : hint;
}

/** Explains a keyword in the place of a value. */
export function keywordAsValue({ text, start: position, at }: FailedText): Explanation {
  const word = text.slice(position, at);
  const length = at - position;
  const quoting = `quote it to search for the word: "${word}"`;
  const negation = /^not$/i.test(word) ? negatedValueHint(text, position, length) : undefined;
  const prose = /^null$/i.test(word) ? `a missing value is written: field is null; ${quoting}` : quoting;
  return explanation('RESERVED_WORD', { position, length }, `"${word}" is a keyword, so a value is missing here`, {
    hint: negation ? { ...worded(negation, '', `; ${quoting}`), otherwise: HINTS['!'] ?? quoting } : prose,
    expected: ['value'],
  });
}

/** Explains an escape that does not exist: after a backslash in quotes, or in a word. */
export function invalidEscape({ text, start, at: position }: FailedText): Explanation {
  const next = text.codePointAt(position + 1);
  const sequence = `\\${next === undefined ? '' : String.fromCodePoint(next)}`;
  const hint = /["']/.test(text.charAt(start))
    ? 'valid escapes: \\\\ \\" \\\' \\* \\? \\n \\t \\r \\uXXXX'
    : 'outside quotes a backslash makes the next punctuation mark or space literal';
  const span = { position, length: sequence.length };
  return explanation('INVALID_ESCAPE', span, `invalid escape "${sequence}"`, { hint });
}

/** Explains `/…/`. */
export function regularExpression({ text, start: position, at }: FailedText): Explanation {
  const pattern = fromRegularExpression(text.slice(position + 1, at - 1));
  const wildcards = 'use * and ? wildcards';
  const hint = pattern === undefined ? wildcards : worded(writePiece(pattern), `${wildcards}: `);
  const span = { position, length: at - position };
  return explanation('UNSUPPORTED_SYNTAX', span, 'regular expressions are not supported', { hint });
}

/** Explains a date with a space in it. */
export function dateWithSpace({ text, start: position, at }: FailedText): Explanation {
  let end = at + 1;
  while (end - at <= MAX_TIME && end < text.length && !isSpace(text.charCodeAt(end))) end++;
  while (')]},'.includes(text.charAt(end - 1))) end--;
  const help = { expectedType: 'date', hint: spaceHint(text.slice(position, end)) };
  const span = { position, length: end - position };
  return explanation('INVALID_VALUE', span, 'a date is written without spaces', help);
}

/**
 * Returns the hint for a date with a space in it: a space between day and time means `T`, and one between time and zone
 * was a `+` that a URL decoder turned into a space. Undefined for any other text.
 */
export function spaceHint(text: string): Hint | undefined {
  const [, before = '', after = ''] = /^([^ ]*) (\d\d:\d\d.*)$/s.exec(text) ?? [];
  if (isDate(before)) return writePiece(`${before}T${after}`);
  return isDateTime(before) ? `in a URL, "+" means a space: write ${before}%2B${after}` : undefined;
}

const LIKE = /[\p{L}\p{N}_.-]{1,80}\s{1,9}(?:not\s{1,9})?like\s{1,9}$/iu;

/** The hint for a pattern with SQL's ESCAPE clause, which is not translated. */
const ESCAPED = 'wildcards are * and ?; a backslash makes the next one literal';

/** Explains SQL's `%` in a pattern without `*` or `?`: it was probably meant as a wildcard. */
export function sqlPattern({ text, start: position, at, fields }: FailedText): Explanation {
  const value = literalAt(text, position)?.text ?? '';
  const head = LIKE.exec(text.slice(Math.max(0, position - MAX_DISTANCE), position))?.[0] ?? 'like ';
  const other = value.includes('_')
    ? `${quotedPattern(asLiteral(value).replaceAll('%', '*'))} if "_" is literal`
    : `${/\snot\s/i.test(head) ? '!=' : '='} if "%" is literal`;
  const isEscaped = /^\s{1,9}escape\s/i.test(text.slice(at, at + MAX_DISTANCE));
  const name = nameAt(head, 0);
  const field = fields.find(name);
  const hint = isEscaped
    ? ESCAPED
    : patternsOf(field) === 'words'
      ? ilike({ name: /\snot\s/i.test(head) ? `not ${name}` : name, field, value, list: '' })
      : writeCondition(`${head}${quotedPattern(fromSqlPattern(value))}`, `, or ${other}`);
  return explanation('UNSUPPORTED_SYNTAX', { position, length: at - position }, '"%" is not a wildcard here', { hint });
}

/** The maximum distance in characters to a field. */
const MAX_DISTANCE = 120;
const DETAIL = '"a TO b" needs brackets';

/** Explains `a TO b` without brackets; the span is the `TO`. */
export function unbracketedRange(text: string, to: Span, field: string, low: Span | undefined): Explanation {
  const written = low === undefined ? 'low' : sourceOf(text, low);
  const high = literalAt(text, to.position + to.length);
  const hint =
    high === undefined ? 'a range is a..b' : writeCondition(`${echo(field)}:${echo(written)}..${bare(high.text)}`);
  return explanation('UNSUPPORTED_SYNTAX', { position: to.position, length: 2 }, DETAIL, { hint });
}

/** Explains `field a TO b`; undefined if the words after the field are not a range. */
export function rangeWithoutOperator({ text, at }: FailedText, field: Name): Explanation | undefined {
  const low = nameAt(text, at);
  const position = afterSpace(text, at + low.length);
  if (low === '' || nameAt(text, position).toLowerCase() !== 'to') return undefined;
  return unbracketedRange(text, { position, length: 2 }, field.text, { position: at, length: low.length });
}

/** Explains a `TO` between the values of a list or group that begins at the start; undefined if there is none. */
export function rangeInList({ text, at }: FailedText): Explanation | undefined {
  if (!isKeywordAhead(cursorAt(text, at), 'to')) return undefined;
  const hint = 'a range follows its field: field:[a TO b] or field:a..b';
  return explanation('UNSUPPORTED_SYNTAX', { position: at, length: 2 }, '"a TO b" is a range, not a list', { hint });
}

/** Explains `[a, b]`, which is a list in some languages and an interval in others. */
export function listInBrackets({ text, start: position, at, fields }: FailedText): Explanation {
  const closer = text.indexOf(text.charAt(position) === '{' ? '}' : ']', at);
  const end = closer < 0 ? at + 1 : closer + 1;
  const items = text.slice(position + 1, closer < 0 ? at : closer).split(',');
  const [low = '', high, third] = items.map((item) => echo(item.trim()));
  const name = nameBefore(text, text.slice(0, position).search(/[:=\s]*$/));
  const field = fields.find(name);
  const hasNoOrder = field !== undefined && !operatorsOf(field).includes('>');
  const isSet = hasNoOrder || text.charAt(position) === '{';
  const list = `(${echo(items.map((item) => item.trim()).join(', '))})`;
  const interval = `[${low} TO ${high}]`;
  const either =
    third === undefined
      ? writePiece(interval, ` for all between, or ${list} for any of them`)
      : writePiece(list, ' for any of them');
  return explanation(
    'UNSUPPORTED_SYNTAX',
    { position, length: end - position },
    text.charAt(position) === '{'
      ? 'a list in braces is not supported'
      : 'a list in brackets is allowed only after "in"',
    { hint: high === undefined ? LIST_FORMS : isSet ? writePiece(list) : shownOnly(either) },
  );
}
