import type { CriteriaField } from '../fields.js';
import { WORD_OPERATORS } from '../operators.js';
import type { Hint } from './criteria-error.js';
import { negated, translationOf } from './dialects.js';
import { afterOperator } from './foreign-operators.js';
import { EMPTY_WORDS } from './language-words.js';
import { writeCondition } from './proposals.js';
import { firstCondition, write } from './repairs.js';
import { echo } from './snippet.js';
import {
  afterSpace,
  type FailedText,
  foreignCondition,
  literalAt,
  type Name,
  nameAt,
  phraseAt,
  quote,
  sourceOf,
} from './source.js';

const REACH = 160;

/**
 * Returns the hint for a negation behind a field: `rating not 3`, `ticker not = BCT`, `ticker !in (BCT)`.
 *
 * @param length the length of the negation
 */
export function negatedHint(failed: FailedText, word: Name, field: CriteriaField, length: number): Hint | undefined {
  const { text } = failed;
  const not = afterSpace(text, word.position + word.length) + length;
  const operator = nameAt(text, not);
  if (WORD_OPERATORS.has(operator.toLowerCase())) {
    const rest = `${word.text} not ${text.slice(not, not + REACH)}`;
    const condition = firstCondition(rest);
    return condition && write(rest.slice(0, condition.length), failed.fields);
  }
  const translate = translationOf(operator);
  if (EMPTY_WORDS.has(operator.toLowerCase())) return writeCondition(`${word.text} is not null`);
  if (translate !== undefined) {
    const valueAt = afterOperator(text, afterSpace(text, not) + operator.length);
    return negated(translate)(foreignCondition(failed, word.text, valueAt));
  }
  const sign = /^\s*(==?|:|!=)?\s*/.exec(text.slice(not, not + 20))?.[0] ?? '';
  const value = literalAt(text, not + sign.length);
  const phrase = phraseAt(text, not + sign.length);
  const form = field.type === 'text' && !field.exact ? ':' : ' = ';
  if (value === undefined) return '"not" stands before the field';
  const written = phrase === value.text ? echo(sourceOf(text, value)) : quote(phrase ?? '');
  return writeCondition(`not ${word.text}${form}${written}`);
}
