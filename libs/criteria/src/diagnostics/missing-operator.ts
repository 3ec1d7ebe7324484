import type { CriteriaField } from '../fields.js';
import { NEGATED_OPERATORS } from '../operators.js';
import { afterSpaceAhead, keywordAhead } from '../parse/keywords.js';
import type { PredicateNode } from '../parse/syntax-tree.js';
import { isWordCharacter } from '../text/characters.js';
import { type CriteriaError, criteriaError } from './criteria-error.js';
import { EMPTY_WORDS, existenceTest, FOREIGN_CONNECTORS, patternsOf, TYPOGRAPHIC_SIGNS } from './dialects.js';
import { foreignCall, foreignOperator } from './foreign-operators.js';
import { repeatedValue } from './joined-values.js';
import { unexpected } from './missing-condition.js';
import { echo } from './snippet.js';
import type { FailedText } from './source.js';
import {
  afterSpace,
  bare,
  cursorAt,
  literalAt,
  type Name,
  nameAt,
  opensCondition,
  phraseEnd,
  quote,
  quotedPattern,
  scalarOf,
  sourceOf,
} from './source.js';
import { rangeWithoutOperator, unbracketedRange } from './value-errors.js';

const SIGN = new RegExp(`[${[...TYPOGRAPHIC_SIGNS.keys()].join('')}]`);
const LETTER = /[\p{L}\p{Nd}]/u;

/** Explains a name or word without an operator. */
export function missingOperator(failed: FailedText): CriteriaError {
  const { text, start, before } = failed;
  const name = nameIn(text, start);
  if (name.text === '*' && text.charAt(name.position + name.length) === ':') {
    const detail = 'a field cannot be named by a wildcard';
    return criteriaError('UNSUPPORTED_SYNTAX', name, detail, { hint: 'name the field' });
  }
  const halfOperator = name.text === '*' ? undefined : (negationAlone(failed) ?? nullTest(failed, name));
  if (halfOperator !== undefined) return halfOperator;
  if (before !== undefined && name.text.toLowerCase() === 'to') {
    return unbracketedRange(text, name, before.field, scalarOf(before));
  }
  return (
    foreignCall(failed, name) ??
    foreignOperator(failed, name) ??
    rangeWithoutOperator(failed, name) ??
    loneWord(failed, name)
  );
}

/** The name that the parser has read; a `*` is no name. */
function nameIn(text: string, position: number): Name {
  if (text.charAt(position) === '*') return { text: '*', position, length: text.startsWith('*:*', position) ? 3 : 1 };
  const name = nameAt(text, position);
  return { text: name, position, length: name.length };
}

/** `ticker not` at the end. */
function negationAlone({ text, at }: FailedText): CriteriaError | undefined {
  const cursor = cursorAt(text, at);
  if (keywordAhead(cursor) !== 'not' || at + afterSpaceAhead(cursor, 'not'.length) < text.length) return undefined;
  const end = { position: text.length, length: 0 };
  const expected = [...NEGATED_OPERATORS.keys()];
  return criteriaError('UNEXPECTED_END', end, 'an operator is missing after "not"', { expected });
}

/** `is` or `is not` without the `null`. */
function nullTest({ text, at: start }: FailedText, field: Name): CriteriaError | undefined {
  const cursor = cursorAt(text, start);
  if (keywordAhead(cursor) !== 'is') return undefined;
  const second = afterSpaceAhead(cursor, 'is'.length);
  const isNegated = keywordAhead(cursor, second) === 'not';
  const at = start + (isNegated ? afterSpaceAhead(cursor, second + 'not'.length) : second);
  const name = echo(field.text);
  const bothTests = `write ${name} is null or ${name} is not null`;
  if (at >= text.length) {
    const help = { expected: ['null'], hint: bothTests };
    return criteriaError('UNEXPECTED_END', { position: at, length: 0 }, '"null" is missing after "is"', help);
  }
  const word = keywordAhead(cursorAt(text, at));
  if (EMPTY_WORDS.has(word)) {
    const span = { position: start, length: at + word.length - start };
    const hint = `write ${name} is ${isNegated ? 'not ' : ''}null`;
    return criteriaError('UNSUPPORTED_SYNTAX', span, `"is ${word}" is not supported`, { hint });
  }
  if (word === 'not') return unexpected(text, at, ['null'], bothTests);
  if (word === 'exists') return unexpected(text, at, ['null'], `write ${name} is ${isNegated ? '' : 'not '}null`);
  const value = bare(literalAt(text, at)?.text ?? 'value');
  return unexpected(text, at, ['null'], `write ${name} ${isNegated ? '!=' : '='} ${value}`);
}

/** The name with what a value could hold beyond it, so that `100%` is marked as a whole. */
function loneWord(failed: FailedText, { position, length }: Name): CriteriaError {
  const { text } = failed;
  let end = position + length;
  while (isWordCharacter(text.charCodeAt(end))) end++;
  const word = { text: text.slice(position, end), position, length: end - position };
  const isField = failed.fields.find(word.text) !== undefined;
  const hint =
    signHint(text, word) ??
    connectorHint(failed, word) ??
    phraseHint(failed, word) ??
    (isField ? undefined : repeatedValue(failed, word)) ??
    fieldHint(failed, word) ??
    testHint(text, word) ??
    freeText(text, word);
  return criteriaError('MISSING_OPERATOR', word, `"${echo(word.text)}" stands alone`, { hint, expected: ['operator'] });
}

/** `rating ≥ 3`. */
function signHint(text: string, { text: word, position, length }: Name): string | undefined {
  const at = SIGN.test(word) ? position + word.search(SIGN) : afterSpace(text, position + length);
  const sign = TYPOGRAPHIC_SIGNS.get(text.charAt(at));
  if (sign === undefined) return undefined;
  const name = echo(word.split(SIGN)[0] ?? '') || 'field';
  return `write ${name} ${sign} ${bare(literalAt(text, at + 1)?.text ?? 'value')}`;
}

/** `ticker:BCT unless rating > 3`. */
function connectorHint({ text, before }: FailedText, { text: word, position, length }: Name): string | undefined {
  const hint = FOREIGN_CONNECTORS.get(word.toLowerCase());
  const next = afterSpace(text, position + length);
  const joins = opensCondition(text, next) || text.charAt(next) === '(';
  if (hint === undefined || !joins) return undefined;
  return before !== undefined ? hint : 'leave it out: criteria are conditions alone';
}

/** `name:Base Carbon`: a value of several words. */
function phraseHint({ text, before, fields }: FailedText, word: Name): string | undefined {
  const value = scalarOf(before);
  if (before === undefined || value === undefined || value.quoted) return undefined;
  if (afterSpace(text, value.position + value.length) < word.position) return undefined;
  const field = fields.find(before.field);
  if (fields.find(word.text) !== undefined && field?.type !== 'text') return undefined;
  const end = Math.max(phraseEnd(text, value.position), word.position + word.length);
  const start = echo(text.slice(before.position, value.position));
  return `quote values that contain spaces: ${quotedSpelling(start, before, field, text.slice(value.position, end))}`;
}

function quotedSpelling(
  start: string,
  before: PredicateNode,
  field: CriteriaField | undefined,
  phrase: string,
): string {
  if (before.kind === 'value' && before.operator === 'like') return `${start}${quotedPattern(phrase)}`;
  if (!/[*?]/.test(phrase)) return `${start}${quote(phrase)}`;
  return patternsOf(field) === 'whole'
    ? `${echo(before.field)} like ${quotedPattern(phrase)}`
    : `${start}(${phrase.split(/\s+/).join(' and ')})`;
}

/** A field with no operator of this language. */
function fieldHint({ text, fields }: FailedText, word: Name): string | undefined {
  const field = fields.find(word.text);
  if (field === undefined) return undefined;
  const after = word.position + word.length;
  if (nameAt(text, after).toLowerCase() === 'not') return negatedHint(text, word, field);
  const value = opensCondition(text, after) ? undefined : literalAt(text, after);
  const isValue = value !== undefined && !/^(and|or|not|null)$/i.test(value.text) && !fields.find(value.text);
  if (isValue) return `write ${word.text}:${echo(sourceOf(text, value))}`;
  return field.type === 'boolean' ? `write ${word.text}:true` : `write ${word.text} exists, or a condition on it`;
}

/** `rating not 3`, `ticker not = BCT`. */
function negatedHint(text: string, word: Name, field: CriteriaField): string {
  const not = afterSpace(text, word.position + word.length) + 'not'.length;
  const sign = /^\s*(==?|:|!=)?\s*/.exec(text.slice(not, not + 20))?.[0] ?? '';
  const value = literalAt(text, not + sign.length);
  const form = field.type === 'text' && !field.exact ? ':' : ' = ';
  if (value === undefined) return `write not before the field: not ${word.text}${form}value`;
  return `write not ${word.text}${form}${echo(sourceOf(text, value))}`;
}

/** `exists rating`, `has rating`. */
function testHint(text: string, word: Name): string | undefined {
  const after = word.position + word.length;
  const name = nameAt(text, after);
  return name === '' || opensCondition(text, after) ? undefined : existenceTest(word.text, echo(name));
}

function freeText(text: string, word: Name): string {
  const sentence = 'use the fullTextSearch parameter for free text';
  const end = Math.max(phraseEnd(text, word.position), word.position + word.length);
  const phrase = text.slice(word.position, end);
  return LETTER.test(phrase) ? `${sentence}, or write name:${bare(phrase)}` : sentence;
}
