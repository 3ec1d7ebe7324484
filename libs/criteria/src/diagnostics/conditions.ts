import { connectorAhead } from '../parse/keywords.js';
import { readQuoted } from '../parse/quoted.js';
import { type CriteriaError, criteriaError } from './criteria-error.js';
import type { FailedText } from './failed-text.js';
import { foreignSign } from './foreign-operators.js';
import { commaHint, relationHint, repeatedValue } from './joined-values.js';
import { echo } from './snippet.js';
import { cursorAt, opensCondition, scalarOf, sourceOf } from './source.js';
import { unexpected } from './unexpected.js';

/** How far a name in brackets is looked for. */
const MAX_BRACKETED_LENGTH = 80;
const BRACKETED_NAME = /^\[\s{0,9}([\p{L}\p{N}_.-]+)\s{0,9}\]/u;
const CONDITION = ['field', 'not', '('];

/** Explains why no condition begins where one is due. */
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

/** Explains the sign that stands where a condition is due. */
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
      return unexpected(text, at, CONDITION, 'leave "+" out: a condition must hold anyway');
    case '-':
      return unexpected(text, at, ['field'], 'write "-" close before its term, or not');
    case ':':
      return unexpected(text, at, CONDITION, 'quote a value that holds a colon');
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
    : [1, 'criteria is text, not JSON', 'write for example: ticker:BCT and rating>=3'];
  return criteriaError('UNSUPPORTED_SYNTAX', { position, length }, detail, { hint });
}

function loneString(failed: FailedText): CriteriaError {
  const value = readQuoted(cursorAt(failed.text, failed.at));
  const hint = 'use the fullTextSearch parameter for free text; field names are written without quotes';
  return criteriaError('MISSING_OPERATOR', value, `"${echo(value.text)}" stands alone`, {
    hint: repeatedValue(failed, value) ?? hint,
    expected: ['field'],
  });
}
