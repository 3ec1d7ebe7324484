import type { PatternLimit, TypeFailure, TypeRuleName } from '../check/type-failures.js';
import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { CriteriaLimits } from '../limits.js';
import { operatorsOf } from '../operators.js';
import type { PredicateNode, RangeNode, ValueNode } from '../parse/syntax-tree.js';
import {
  type CriteriaErrorCode,
  type Explanation,
  explanation,
  type HelpWithHint,
  type Proposal,
} from './criteria-error.js';
import { unknownField } from './field-names.js';
import { addressHint, booleanHint, dateHint, wordPatternHint } from './literal-hints.js';
import { worded, writeCondition, writePiece } from './proposals.js';
import { because, placeholderHint, repaired } from './repairs.js';
import { echo } from './snippet.js';
import { operatorOf } from './source.js';

/** A failure of a predicate whose field is known. */
interface Failed {
  readonly text: string;
  readonly field: CriteriaField;
  readonly predicate: PredicateNode;
  readonly operand: ValueNode | RangeNode | undefined;
  readonly limits: CriteriaLimits;
}

const NO_VALUE: ValueNode = { kind: 'scalar', text: '', quoted: false, pattern: undefined, position: 0, length: 0 };
const NEGATED = /^(?:!=|<>|:!=|ne$|not\s)/i;
const ORDER_HINT = 'ranges work on numbers and dates';
const PATTERN_HINTS: Readonly<Record<string, string>> = {
  boolean: 'a boolean is true or false',
  date: 'a part such as 2022-02 names its whole period, and 2022-02..2022-06 is a range',
};

const tooBroad =
  (limit: PatternLimit, detail: (most: number) => string) =>
  (failed: Failed): Explanation =>
    atOperand(failed, 'PATTERN_TOO_BROAD', detail(failed.limits[limit]), {
      hint: /^\*+$/.test(patternOf(failed)) ? `for any value at all use ${failed.field.name} exists` : undefined,
    });

/** The explanation of each broken rule. */
const EXPLANATIONS: Readonly<Record<Exclude<TypeRuleName, 'field'>, (failed: Failed) => Explanation>> = {
  wholeValue: (failed) => {
    const { field, predicate, text } = failed;
    const detail = `"${echo(operatorOf(text, predicate))}" cannot be used with text field "${field.name}"`;
    const not = NEGATED.test(operatorOf(text, predicate)) ? 'not ' : '';
    const words = writeCondition(`${not}${field.name}:${wordsIn(text, predicate)}`);
    const [reason, other] = [`"${field.name}" is free text: `, 'use fullTextSearch'];
    const hint = predicate.kind === 'value' ? `${reason}${other}` : worded(words, reason, ` or ${other}`);
    return explanation('OPERATOR_NOT_ALLOWED', predicate, detail, { hint, allowed: operatorsOf(field) });
  },
  like: (failed) => {
    const { field, predicate, text } = failed;
    const detail = `"${echo(operatorOf(text, predicate))}" cannot be used with ${field.type} field "${field.name}"`;
    return atOperator(failed, detail, 'patterns work on text');
  },
  order: (failed) => {
    const { field, operand } = failed;
    const detail = `a range cannot be used with ${field.type} field "${field.name}"`;
    if (operand?.kind !== 'range' || operand.form === 'between') return atOperator(failed, detail, ORDER_HINT);
    const hint = operand.form === 'dots' ? `${ORDER_HINT}; quote a value that holds two dots` : ORDER_HINT;
    return atOperand(failed, 'OPERATOR_NOT_ALLOWED', detail, { hint, allowed: operatorsOf(field) });
  },
  encoding: (failed) => atOperand(failed, 'INVALID_VALUE', 'the value holds half a surrogate pair'),
  valueLength: (failed) =>
    atOperand(failed, 'VALUE_TOO_LONG', `a value may hold at most ${failed.limits.valueLength} characters`),
  address: (failed) =>
    invalid(failed, `"${formatFailed(failed)}" is not an address`, { hint: addressHint(failedValue(failed)) }),
  boolean: (failed) => {
    const help = { hint: booleanHint(textOf(failed)), allowed: ['true', 'false'] };
    return invalid(failed, `"${formatFailed(failed)}" is not a boolean`, help);
  },
  date: (failed) =>
    invalid(failed, `"${formatFailed(failed)}" is not a date`, {
      hint: repairHint(failed) ?? noValueHint(failed) ?? dateHint(textOf(failed)),
    }),
  calendar: (failed) => invalid(failed, `"${formatFailed(failed)}" is not a real calendar date`),
  years: (failed) => invalid(failed, 'dates go from the year 0001 to 9999'),
  number: (failed) =>
    invalid(failed, `"${formatFailed(failed)}" is not a number`, {
      hint: placeholderHint(failed.text, failedValue(failed)) ?? repairHint(failed) ?? noValueHint(failed),
    }),
  numberSize: (failed) => invalid(failed, `"${formatFailed(failed)}" is too large a number`),
  integer: (failed) => {
    const hint = /^\.\d/.test(textOf(failed)) ? 'a range has two dots: a..b' : undefined;
    return invalid(failed, `"${failed.field.name}" takes whole numbers`, { hint });
  },
  integerSize: (failed) =>
    invalid(failed, `"${failed.field.name}" takes whole numbers from ${-(2 ** 31)} to ${2 ** 31 - 1}`),
  words: (failed) => invalid(failed, `"${formatFailed(failed)}" holds no word to look for`),
  emptyRange,
  pattern: (failed) => {
    const { name, type } = failed.field;
    const hint = repairHint(failed) ?? PATTERN_HINTS[type] ?? 'use a range such as 3..4';
    return atOperand(failed, 'PATTERN_NOT_ALLOWED', `wildcards cannot be used with ${type} field "${name}"`, { hint });
  },
  boundPattern: (failed) =>
    atOperand(failed, 'PATTERN_NOT_ALLOWED', 'wildcards cannot be used as range bounds', {
      hint:
        patternOf(failed) === '*' ? `for any value at all use ${failed.field.name} exists` : 'a bound is a full value',
    }),
  addressPattern: (failed) =>
    atOperand(failed, 'PATTERN_NOT_ALLOWED', 'an address takes one "*" at its end alone', {
      hint: 'an address is found by how it begins, such as 0x2f*',
    }),
  addressStart: (failed) =>
    atOperand(failed, 'PATTERN_TOO_BROAD', 'the beginning of an address needs at least 2 digits', {
      hint: 'such as 0x2f*',
    }),
  wordPattern: (failed) =>
    atOperand(failed, 'PATTERN_NOT_ALLOWED', 'a pattern for a word holds letters, digits, "_", "*" and "?"', {
      hint: wordPatternHint(failed.field, patternOf(failed)),
    }),
  patterns: (failed) =>
    atOperand(failed, 'TOO_MANY_PATTERNS', `more than ${failed.limits.patterns} patterns with wildcards`),
  patternStars: tooBroad('patternStars', (most) => `a pattern may hold at most ${most} "*"`),
  patternQuestions: tooBroad('patternQuestions', (most) => `a pattern may hold at most ${most} "?"`),
  patternLiterals: tooBroad('patternLiterals', (least) => `a pattern needs at least ${least} other character`),
  leadingPatternLiterals: tooBroad(
    'leadingPatternLiterals',
    (least) => `a pattern that starts with a wildcard needs at least ${least} other characters`,
  ),
  patternEffort: tooBroad('patternEffort', () => 'so many characters with "?" after "*" cost the index too much'),
};

/** Explains a text whose predicates break rules about fields, operators and values. */
export function explainCheck(
  text: string,
  failures: readonly TypeFailure[],
  fields: CriteriaFields,
  limits: CriteriaLimits,
): readonly Explanation[] {
  return failures.map((failure) => explainType(failure, text, fields, limits));
}

function explainType(
  { rule, field, predicate, operand }: TypeFailure,
  text: string,
  fields: CriteriaFields,
  limits: CriteriaLimits,
): Explanation {
  if (field === undefined || rule === 'field') return unknownField(predicate, text, fields);
  return EXPLANATIONS[rule]({ text, field, predicate, operand, limits });
}

function atOperand(
  { operand, predicate }: Failed,
  code: CriteriaErrorCode,
  detail: string,
  help?: HelpWithHint,
): Explanation {
  return explanation(code, operand ?? predicate, detail, help);
}

/** The span of an operator ends at the operand, including white space. */
function atOperator({ field, predicate }: Failed, detail: string, hint: string): Explanation {
  const { operatorAt, operandAt } = predicate;
  const span = { position: operatorAt, length: operandAt - operatorAt };
  return explanation('OPERATOR_NOT_ALLOWED', span, detail, { hint, allowed: operatorsOf(field) });
}

function invalid(failed: Failed, detail: string, help?: HelpWithHint): Explanation {
  return atOperand(failed, 'INVALID_VALUE', detail, { expectedType: failed.field.type, ...help });
}

/** The value of a rule about values. */
function failedValue({ operand }: Failed): ValueNode {
  return operand?.kind === 'scalar' ? operand : NO_VALUE;
}

function textOf(failed: Failed): string {
  return failedValue(failed).text;
}

function patternOf(failed: Failed): string {
  return failedValue(failed).pattern ?? textOf(failed);
}

function formatFailed(failed: Failed): string {
  return echo(textOf(failed));
}

/** Returns the hint for a value that has one meaning; a range cannot be a bound. */
function repairHint(failed: Failed): Proposal | undefined {
  const { field, predicate } = failed;
  const repair = repaired(field, textOf(failed));
  if (repair === undefined) return undefined;
  const value = failedValue(failed);
  const isEntry = predicate.kind === 'in' && predicate.operands.includes(value);
  const takesRange = isEntry || (predicate.kind === 'equals' && predicate.operand === value);
  if (repair.written.includes('..') && !takesRange) return undefined;
  return writePiece(repair.written, because(repair));
}

/** `price <> ''`: some languages compare a missing value with an empty text. */
function noValueHint(failed: Failed): string | undefined {
  const { name } = failed.field;
  return textOf(failed) === '' ? `a missing value is ${name} is null, any value ${name} exists` : undefined;
}

/** Returns the operand of an equality or a list as it is written. */
function wordsIn(text: string, { operandAt, position, length }: PredicateNode): string {
  return echo(text.slice(operandAt, position + length));
}

function emptyRange(failed: Failed): Explanation {
  const { field, operand } = failed;
  if (field.type === 'date') return atOperand(failed, 'EMPTY_RANGE', 'no time lies between the bounds');
  if (operand?.kind !== 'range' || Number(operand.low?.text) <= Number(operand.high?.text)) {
    return atOperand(failed, 'EMPTY_RANGE', 'nothing lies between the bounds');
  }
  const { form, low, high } = operand;
  const hasThreeDots = form === 'dots' && high?.quoted === false && high.text.startsWith('.');
  const rewrite = `${echo(low?.text ?? '')}..${echo(high?.text.slice(1) ?? '')}`;
  return atOperand(failed, 'EMPTY_RANGE', 'the lower bound lies above the upper bound', {
    hint: hasThreeDots ? worded(writePiece(rewrite), 'three dots are two and a decimal: ') : undefined,
  });
}
