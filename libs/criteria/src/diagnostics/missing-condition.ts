import { connectorAhead } from '../parse/keywords.js';
import { readQuoted } from '../parse/strings.js';
import { isDigit, isNameCharacter, isSpace } from '../text/characters.js';
import { type Explanation, explanation, type Hint } from './criteria-error.js';
import { callWith, foreignSign } from './foreign-operators.js';
import { CONDITION_HINT } from './free-text.js';
import { commaHint, relationHint, repeatedValue } from './joined-values.js';
import { JOINS_HINT } from './language-words.js';
import { leaveOut, writeCondition, writePiece } from './proposals.js';
import { echo } from './snippet.js';
import type { FailedText } from './source.js';
import { afterSpace, bare, cursorAt, literalAt, opensCondition, scalarOf, sourceOf } from './source.js';
import { unexpected } from './unexpected.js';

/** The maximum length of a name in brackets. */
const MAX_BRACKETED_LENGTH = 80;
const BRACKETED_NAME = /^[[{]\s{0,9}([\p{L}\p{N}_.-]+)\s{0,9}[\]}]/u;
/** `{source: "TOUCAN"}`, not `{source:C3 source:MOSS}`. */
const OBJECT = /^\{\s{0,9}[\p{L}\p{N}_.-]{1,80}\s{0,9}:[\s"'[{]/u;
const CONDITION = ['field', 'not', '('];

/** Explains a missing condition. */
export function missingCondition(failed: FailedText): Explanation {
  const { text, at } = failed;
  if (at >= text.length) {
    return explanation('UNEXPECTED_END', { position: at, length: 0 }, 'a comparison is missing at the end', {
      expected: CONDITION,
    });
  }
  if (text.startsWith('..', at)) {
    return unexpected(text, at, CONDITION, 'a range is written field:a..b, without spaces');
  }
  const connector = connectorAhead(cursorAt(text, at));
  if (connector !== undefined) return missingBefore(text, at, connector.length);
  return rsqlOperator(failed) ?? unexpectedSymbol(failed);
}

function missingBefore(text: string, position: number, length: number): Explanation {
  const span = { position, length };
  const detail = `a comparison is missing before "${sourceOf(text, span)}"`;
  // `OR(a; b)` of a spreadsheet.
  const hint = text.charAt(position + length) === '(' ? JOINS_HINT : undefined;
  return explanation('UNEXPECTED_TOKEN', span, detail, { hint, expected: CONDITION });
}

/** Explains an operator of RSQL, as in `rating=gt=3`. The parser reads its letters as the value of `=`. */
export function rsqlOperator(failed: FailedText): Explanation | undefined {
  const { at, before } = failed;
  const value = scalarOf(before);
  if (before === undefined || value === undefined || value.position !== before.operatorAt + 1) return undefined;
  return value.position + value.length === at
    ? foreignSign(failed, before.operatorAt, at + 1 - before.operatorAt, before.field)
    : undefined;
}

/** Explains a symbol where a condition is expected. */
function unexpectedSymbol(failed: FailedText): Explanation {
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
      return explanation('UNBALANCED_PAREN', { position: at, length: 1 }, '")" has no matching "("');
    case '<':
    case '>':
      return unexpected(text, at, CONDITION, relationHint(failed));
    case '+':
      return unexpected(
        text,
        at,
        CONDITION,
        isSuperfluousPlus(text, at) ? leaveOut('leave "+" out: it means nothing in criteria') : JOINS_HINT,
      );
    case '=':
      return unexpected(text, at, CONDITION, start <= 0 ? CONDITION_HINT : undefined);
    case '-':
      return unexpected(text, at, ['field'], minusHint(failed));
    case ':':
      return unexpected(text, at, CONDITION, colonHint(failed));
    default:
      return unexpected(text, at, CONDITION);
  }
}

function minusHint({ text, at, before, fields }: FailedText): string {
  if (text.startsWith('--', at - 1)) return 'criteria cannot contain comments';
  const isDate =
    fields.find(before?.field ?? '')?.type === 'date' && isDigit(text.charCodeAt(afterSpace(text, at + 1)));
  return isDate
    ? 'there are no relative dates: use the day itself'
    : 'put "-" directly before its term, without a space';
}

/** Explains a bracket: a name in brackets, as in SQL Server (`[ticker] = x`), or JSON. */
function inBrackets({ text, at: position }: FailedText): Explanation {
  const [whole = '', name = ''] = BRACKETED_NAME.exec(text.slice(position, position + MAX_BRACKETED_LENGTH)) ?? [];
  const isName = whole !== '' && opensCondition(`${name} ${text.slice(position + whole.length)}`, 0);
  if (isName) {
    const span = { position, length: whole.length };
    const hint = writePiece(echo(name));
    return explanation('UNSUPPORTED_SYNTAX', span, 'a name in brackets is not supported', { hint });
  }
  if (/^\[[^\]:]{1,80}\bto\b/i.test(text.slice(position, position + MAX_BRACKETED_LENGTH))) {
    const hint = 'a range follows its field: field:[a TO b]';
    return explanation('UNSUPPORTED_SYNTAX', { position, length: 1 }, 'a range stands alone', { hint });
  }
  const span = { position, length: 1 };
  if (text.startsWith('${', position - 1)) {
    const hint = 'put the value in its place';
    return explanation('UNSUPPORTED_SYNTAX', { position: position - 1, length: 2 }, 'a placeholder is left', { hint });
  }
  if (text.charAt(position) === '{' && opensCondition(text, position + 1) && !OBJECT.test(text.slice(position))) {
    const hint = `write conditions without braces, or in parentheses: ${JOINS_HINT}`;
    return explanation('UNSUPPORTED_SYNTAX', span, 'braces group no conditions', { hint });
  }
  const hint = 'for example: ticker:BCT and rating>=3';
  return explanation('UNSUPPORTED_SYNTAX', span, 'criteria is text, not JSON', { hint });
}

function loneString(failed: FailedText): Explanation {
  const call = callWith(failed, failed.at);
  if (call !== undefined) return call;
  const value = readQuoted(cursorAt(failed.text, failed.at));
  const isCompared = /^\s{0,9}(?:[=!<>]|(?:not\s{1,9})?in\b)/i.test(
    failed.text.slice(value.position + value.length, value.position + value.length + 10),
  );
  const hint = isCompared
    ? 'the field comes first, without quotes: field:value'
    : failed.before !== undefined
      ? 'several values are written field:(a or b)'
      : 'use the fullTextSearch parameter for free text; field names are written without quotes';
  return explanation('MISSING_OPERATOR', value, `"${echo(value.text)}" stands alone`, {
    hint: repeatedValue(failed, value) ?? hint,
    expected: ['field'],
  });
}

/** `rating=gte:3`: the operators of some HTTP interfaces. */
const WORD_SIGNS: Readonly<Record<string, string>> = {
  ...{ eq: '=', ne: '!=', neq: '!=', gt: '>', gte: '>=', ge: '>=', lt: '<', lte: '<=', le: '<=' },
};

/** Returns the hint for `rating=gte:3`, Excel's `2012:2015` or a value with a colon; undefined for PostgreSQL's `::date`. */
function colonHint({ text, at, before }: FailedText): Hint | undefined {
  if (text.charAt(at + 1) === ':') return undefined;
  const [word = '', value] = [scalarOf(before)?.text.toLowerCase(), literalAt(text, at + 1)];
  const operator = Object.hasOwn(WORD_SIGNS, word) ? WORD_SIGNS[word] : undefined;
  if (before !== undefined && operator !== undefined && value !== undefined) {
    const range = { position: before.position, length: value.position + value.length - before.position };
    return { ...writeCondition(`${echo(before.field)} ${operator} ${bare(value.text)}`), range };
  }
  const isRange = /^\d{4}:\d/.test(text.slice(Math.max(0, at - 4), at + 2));
  return isRange
    ? 'a range is written field:a..b; quote a value that contains a colon'
    : 'quote a value that contains a colon';
}

/** Whether a `+` can be left out: Lucene's, directly before a term, or one at the end of the text. */
function isSuperfluousPlus(text: string, at: number): boolean {
  if (text.slice(at + 1).trim() === '') return true;
  const isStart = at === 0 || isSpace(text.charCodeAt(at - 1)) || text.charAt(at - 1) === '(';
  return (
    isStart &&
    (text.charAt(at + 1) === '(' || (isNameCharacter(text.charCodeAt(at + 1)) && opensCondition(text, at + 1)))
  );
}
