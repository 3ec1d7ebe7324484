import { failuresOf } from '../check/check.js';
import type { CriteriaFields } from '../fields.js';
import type { CriteriaLimits } from '../limits.js';
import { connectorAhead } from '../parse/keywords.js';
import type { ParsedCriteria } from '../parse/parse.js';
import { SyntaxFailure, type SyntaxRule } from '../parse/syntax-failure.js';
import type { PredicateNode } from '../parse/syntax-tree.js';
import { isOperatorSign } from '../text/characters.js';
import { conditionHint } from './condition-hints.js';
import { type CriteriaErrorCode, type Explanation, explanation, type HelpWithHint } from './criteria-error.js';
import { suggestField } from './field-names.js';
import { functionCall } from './foreign-operators.js';
import { CONDITION_HINT } from './free-text.js';
import { missingCondition, rsqlOperator } from './missing-condition.js';
import { missingOperator } from './missing-operator.js';
import type { FailedText } from './source.js';
import { cursorAt, nameAt } from './source.js';
import { explainCheck } from './type-errors.js';
import { unexpected } from './unexpected.js';
import {
  dateWithSpace,
  invalidEscape,
  keywordAsValue,
  listInBrackets,
  missingValue,
  rangeInList,
  regularExpression,
  sqlPattern,
} from './value-errors.js';

/** A limit is exceeded whatever the text means. */
const WITHOUT_REWRITE: ReadonlySet<CriteriaErrorCode> = new Set(['TOO_LONG', 'TOO_DEEP', 'TOO_MANY_CLAUSES']);

type Explain = (failed: FailedText, limits: CriteriaLimits) => Explanation;

const SUBQUERY = /^.\s{0,9}select\s/i;
const SUBQUERY_REACH = 20;
const BETWEEN_HINT = 'a range is field between a and b';
const INTERVAL_HINT = 'a list is (a, b), an interval [a TO b]';

/** The explanation of each broken rule of the grammar. */
const EXPLANATIONS: Readonly<Record<SyntaxRule, Explain>> = {
  condition: missingCondition,
  operator: missingOperator,
  value: missingValue,
  keyword: keywordAsValue,
  escape: invalidEscape,
  quote: ({ text, start }) => {
    const quote = text.charAt(start);
    return opener('UNTERMINATED_STRING', start, `the quote ${quote} is never closed`, [quote]);
  },
  regularExpression,
  date: dateWithSpace,
  pattern: sqlPattern,
  bound: (failed) =>
    piece(failed, 'EMPTY_RANGE', 'a range needs at least one bound', {
      hint: 'a range is a..b, a.. or ..b; for any value at all use field exists',
    }),
  intervalSeparator: (failed) => {
    if (failed.text.charAt(failed.at) === ',') return listInBrackets(failed);
    if (atEnd(failed)) return intervalEnd(failed);
    const isJson = failed.text.charAt(failed.start) === '{' && failed.text.charAt(failed.at) === ':';
    return unexpected(failed.text, failed.at, ['TO'], isJson ? 'criteria is text, not JSON' : INTERVAL_HINT);
  },
  intervalEnd,
  between: (failed) => {
    const expected = ['and'];
    if (!atEnd(failed)) return unexpected(failed.text, failed.at, expected, BETWEEN_HINT);
    const detail = 'the upper bound of "between" is missing';
    return end(failed, 'UNEXPECTED_END', detail, { expected, hint: BETWEEN_HINT });
  },
  list: (failed) => {
    const expected = ['('];
    if (atEnd(failed)) return end(failed, 'MISSING_VALUE', 'a list is missing after "in"', { expected });
    return unexpected(failed.text, failed.at, expected, listHint(failed));
  },
  emptyList: (failed) => piece(failed, 'EMPTY_GROUP', 'empty value list', { expected: ['value'] }),
  listEnd: (failed) => {
    const expected = [',', failed.text.charAt(failed.start) === '(' ? ')' : ']'];
    if (atEnd(failed)) return unclosedError(failed, expected);
    const hint = SUBQUERY.test(failed.text.slice(failed.start, failed.start + SUBQUERY_REACH))
      ? 'there are no subqueries: list the values themselves'
      : 'separate values with commas; quote values that contain spaces';
    return rangeInList(failed) ?? unexpected(failed.text, failed.at, expected, hint);
  },
  emptyGroup: (failed) => piece(failed, 'EMPTY_GROUP', 'empty group of values', { expected: ['value'] }),
  groupEnd: (failed) => {
    const expected = ['or', 'and', ',', ')'];
    if (atEnd(failed)) return unclosedError(failed, expected);
    return rangeInList(failed) ?? unexpected(failed.text, failed.at, expected, groupHint(failed));
  },
  emptyParentheses: (failed) =>
    functionCall(failed) ??
    piece(failed, 'EMPTY_GROUP', 'nothing stands between the parentheses', { expected: ['field', 'not', '('] }),
  parentheses: (failed) => unclosedError(failed, [')']),
  mixedOr: (failed) =>
    rsqlOperator(failed) ??
    explanation(
      'AMBIGUOUS_OR',
      { position: failed.start, length: 1 },
      'terms side by side are ANDed, but "or" stands at the same level',
      { hint: 'use "and" explicitly or add parentheses' },
    ),
  length: (failed, limits) => piece(failed, 'TOO_LONG', `criteria may hold at most ${limits.length} characters`),
  depth: (failed, limits) => piece(failed, 'TOO_DEEP', `more than ${limits.depth} levels of parentheses and negation`),
  clauses: (failed, limits) =>
    piece(failed, 'TOO_MANY_CLAUSES', `more than ${limits.clauses} comparisons and list values`),
};

/** Explains a text that the parser rejects: the errors of its complete predicates, then the syntax error. */
export function explainParse(
  text: string,
  { failure, predicates }: Extract<ParsedCriteria, { ok: false }>,
  fields: CriteriaFields,
  limits: CriteriaLimits,
): readonly Explanation[] {
  const { rule, start, at } = failure;
  const failed = { text, start, at, before: asMeant(predicates.at(-1), fields), fields };
  const error = completed(explainSyntax(rule, failed, limits), failed);
  // Omits a predicate if the error turns its value into something else, such as the name of a function.
  const separate = predicates.filter(
    ({ position, length }) => error.position <= position || error.position >= position + length,
  );
  const others = explainCheck(text, failuresOf(separate, fields, limits), fields, limits);
  return [...others, error].slice(0, limits.errors);
}

/** Gives an error the hint of the whole condition around it, if there is one. */
function completed(error: Explanation, failed: FailedText): Explanation {
  if (WITHOUT_REWRITE.has(error.code)) return error;
  const hint = conditionHint(failed, error);
  return hint === undefined ? error : { ...error, hints: [hint, ...error.hints] };
}

function explainSyntax(rule: SyntaxRule, failed: FailedText, limits: CriteriaLimits): Explanation {
  try {
    return EXPLANATIONS[rule](failed, limits);
  } catch (inner) {
    // A string without an operator breaks a rule itself.
    if (!(inner instanceof SyntaxFailure)) throw inner;
    return EXPLANATIONS[inner.rule]({ ...failed, start: inner.start, at: inner.at }, limits);
  }
}

/** A misspelt name must not hide what else is wrong. */
function asMeant(predicate: PredicateNode | undefined, fields: CriteriaFields): PredicateNode | undefined {
  if (predicate === undefined || fields.find(predicate.field) !== undefined) return predicate;
  return { ...predicate, field: suggestField(predicate.field, fields) ?? predicate.field };
}

function atEnd({ text, at }: FailedText): boolean {
  return at >= text.length;
}

function piece({ start, at }: FailedText, code: CriteriaErrorCode, detail: string, help?: HelpWithHint): Explanation {
  return explanation(code, { position: start, length: at - start }, detail, help);
}

function end({ at }: FailedText, code: CriteriaErrorCode, detail: string, help: HelpWithHint): Explanation {
  return explanation(code, { position: at, length: 0 }, detail, help);
}

function opener(code: CriteriaErrorCode, position: number, detail: string, expected: readonly string[]): Explanation {
  return explanation(code, { position, length: 1 }, detail, { expected });
}

function unclosedError({ text, start }: FailedText, expected: readonly string[]): Explanation {
  return opener('UNBALANCED_PAREN', start, `"${text.charAt(start)}" is never closed`, expected);
}

function intervalEnd(failed: FailedText): Explanation {
  const expected = [']', '}'];
  if (atEnd(failed)) return unclosedError(failed, expected);
  return unexpected(failed.text, failed.at, expected, `${INTERVAL_HINT}; } leaves its bound out`);
}

/** `2020 in vintages`, `projects in Brazil`, `country in Brazil`. */
function listHint({ text, start, at, fields }: FailedText): string {
  if (fields.find(nameAt(text, at)) !== undefined) return 'the field comes first: field in (a, b)';
  const isField = fields.find(nameAt(text, start)) !== undefined;
  return isField ? 'a list stands in parentheses: field in (a, b)' : CONDITION_HINT;
}

function groupHint({ text, at }: FailedText): string {
  if (/[+-]/.test(text.charAt(at))) return 'within a group, "not" excludes a value: field:(a and not b)';
  if (isOperatorSign(text.charCodeAt(at))) return 'a group holds values of one field: name the other field outside';
  return text.charAt(at) === ',' || connectorAhead(cursorAt(text, at)) !== undefined
    ? 'join values either by commas or by "and" and "or"'
    : 'separate values by "or", "and" or a comma; quote values that contain spaces';
}
