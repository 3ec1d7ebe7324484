import { echo } from '../errors/echo.js';
import { isNameCharacter, isTypographicQuote } from '../text/characters.js';
import { opensCondition } from './advice/ahead.js';
import { comparisonHint } from './advice/field-before.js';
import { repeatedValue } from './advice/repeated-value.js';
import { commaHint } from './advice/several-values.js';
import { connectorAhead } from './connector.js';
import type { Cursor } from './cursor.js';
import { mistake } from './syntax-mistake.js';
import { unexpected } from './unexpected.js';
import { readQuoted } from './values/quoted.js';
import { isRangeSign } from './values/range.js';

/** How far a name in brackets is looked for. */
const REACH = 80;
const BRACKETED_NAME = /^\[\s{0,9}([\p{L}\p{N}_.-]+)\s{0,9}\]/u;

const TERM = ['field', 'not', '('];

/**
 * Lets only a field's name pass.
 *
 * @throws {SyntaxMistake} for anything else that stands where a term is due
 */
export function refuseMissingTerm(cursor: Cursor): void {
  if (cursor.atEnd) {
    throw mistake('UNEXPECTED_END', cursor.spanAhead(0), 'a comparison is missing at the end', { expected: TERM });
  }
  if (isRangeSign(cursor)) throw unexpected(cursor, TERM, 'a range is written field:a..b, without blanks');
  const connector = connectorAhead(cursor);
  if (connector !== undefined) throw missingBefore(cursor, connector.length);
  if (isNameCharacter(cursor.code()) && !isTypographicQuote(cursor.code())) return;
  throw refuseOther(cursor);
}

function missingBefore(cursor: Cursor, length: number): Error {
  const span = cursor.spanAhead(length);
  const found = cursor.text.slice(span.position, span.position + length);
  return mistake('UNEXPECTED_TOKEN', span, `a comparison is missing before "${found}"`, { expected: TERM });
}

function refuseOther(cursor: Cursor): Error {
  switch (cursor.character()) {
    case '"':
    case "'":
      return loneString(cursor);
    case '[':
    case '{':
      return (
        bracketedName(cursor) ??
        mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(1), 'criteria is text, not JSON', {
          hint: 'write for example: ticker:BCT and rating>=3',
        })
      );
    case ',':
    case '，':
    case '、':
    case '،':
      return unexpected(cursor, TERM, commaHint(cursor));
    case ')':
      return cursor.openParentheses > 0 ? missingBefore(cursor, 1) : neverOpened(cursor);
    case '<':
    case '>':
      return unexpected(cursor, TERM, comparisonHint(cursor));
    case '+':
      return unexpected(cursor, TERM, 'leave "+" out: a condition must hold anyway');
    case ':':
      return unexpected(cursor, TERM, 'quote a value that holds a colon');
    default:
      return unexpected(cursor, TERM);
  }
}

/** `[ticker] = x`, as some databases quote a name. */
function bracketedName(cursor: Cursor): Error | undefined {
  const [whole, name = ''] = BRACKETED_NAME.exec(cursor.text.slice(cursor.at, cursor.at + REACH)) ?? [];
  if (whole === undefined || !opensCondition(`${name} ${cursor.text.slice(cursor.at + whole.length)}`, 0))
    return undefined;
  const detail = 'a name in brackets is not supported';
  return mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead(whole.length), detail, { hint: `write ${echo(name)}` });
}

function neverOpened(cursor: Cursor): Error {
  return mistake('UNBALANCED_PAREN', cursor.spanAhead(1), '")" has no matching "("');
}

function loneString(cursor: Cursor): Error {
  const value = readQuoted(cursor);
  const detail = `"${echo(value.text)}" stands alone`;
  return mistake('MISSING_OPERATOR', value, detail, {
    hint:
      repeatedValue(cursor, value) ??
      'use the fullTextSearch parameter for free text; field names are written without quotes',
    expected: ['field'],
  });
}
