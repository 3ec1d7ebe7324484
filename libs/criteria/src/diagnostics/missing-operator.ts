import type { CriteriaField } from '../fields.js';
import { NEGATED_OPERATORS, OPERATOR_WORDS, operatorsOf } from '../operators.js';
import { afterSpaceAhead, keywordAhead } from '../parse/keywords.js';
import type { PredicateNode } from '../parse/syntax-tree.js';
import { isWordCharacter } from '../text/characters.js';
import { type Explanation, explanation, type Hint, type Proposal } from './criteria-error.js';
import { existenceTest, TYPOGRAPHIC_SIGNS } from './dialects.js';
import { editDistance, suggestField } from './field-names.js';
import { callWith, foreignCall, foreignOperator } from './foreign-operators.js';
import { CLAUSE_WITHIN, CLAUSES_HINT, clauseOfResult, freeText } from './free-text.js';
import { repeatedValue } from './joined-values.js';
import { endsInConnector, FOREIGN_CONNECTORS, JOINS_HINT } from './language-words.js';
import { negatedHint } from './negations.js';
import { nullTest } from './null-tests.js';
import { shownOnly, worded, writeCondition } from './proposals.js';
import { firstCondition, isAccepted, repaired, write } from './repairs.js';
import { comparisonInWords } from './sentences.js';
import { echo } from './snippet.js';
import type { FailedText } from './source.js';
import {
  afterSpace,
  bare,
  cursorAt,
  endsCondition,
  isClosed,
  literalAt,
  type Name,
  nameAt,
  opensCondition,
  phraseEnd,
  quote,
  quotedPattern,
  RUN_ENDS,
  scalarOf,
  sourceOf,
} from './source.js';
import { patternsOf } from './text-translations.js';
import { rangeWithoutOperator, unbracketedRange } from './value-errors.js';

const SIGN = new RegExp(`[${[...TYPOGRAPHIC_SIGNS.keys()].join('')}]`);
const MULTIPLE = /^(?:thousand|million|billion|k|m|mio|mln|bn)$/i;
const QUOTE_HINT = 'quote values that contain spaces';
const CORRECTIONS = ['not', ...OPERATOR_WORDS, 'is'];
const REACH = 160;
/** Explains a name or word without an operator. */
export function missingOperator(failed: FailedText): Explanation {
  const { text, start, before } = failed;
  const name = nameIn(text, start);
  const isPattern = name.text === '*' || text.charAt(name.position + name.length) === '*';
  const end = name.position + name.length;
  if (isPattern && text.charAt(name.text === '*' ? end : end + 1) === ':') {
    const detail = 'a field cannot be named by a wildcard';
    return explanation('UNSUPPORTED_SYNTAX', name, detail, { hint: 'name the field' });
  }
  const halfOperator = name.text === '*' ? undefined : (negationAlone(failed) ?? nullTest(failed, name));
  if (halfOperator !== undefined) return halfOperator;
  if (before !== undefined && name.text.toLowerCase() === 'to') {
    return unbracketedRange(text, name, before.field, scalarOf(before));
  }
  const meant = failed.fields.find(name.text)?.name ?? suggestField(name.text, failed.fields) ?? name.text;
  return (
    callWith(failed, start) ??
    foreignCall(failed, name) ??
    (meant === name.text
      ? foreignOperator(failed, name)
      : from(name, foreignOperator(failed, { ...name, text: meant }))) ??
    sentence(failed, name, meant) ??
    rangeWithoutOperator(failed, name) ??
    loneWord(failed, name)
  );
}

/** `rating at least 3`. */
function sentence(failed: FailedText, name: Name, field: string): Explanation | undefined {
  const hint = comparisonInWords(failed, name, field);
  if (hint === undefined) return undefined;
  const help = { hint, expected: ['operator'] };
  return explanation('MISSING_OPERATOR', name, `"${echo(name.text)}" stands alone`, help);
}

/** Marks the misspelt name too, because a rewrite replaces it. */
function from({ position }: Name, error: Explanation | undefined): Explanation | undefined {
  return error && { ...error, position, length: error.position + error.length - position };
}

/** The name that the parser has read; a `*` is no name. */
function nameIn(text: string, position: number): Name {
  if (text.charAt(position) === '*') return { text: '*', position, length: text.startsWith('*:*', position) ? 3 : 1 };
  const name = nameAt(text, position);
  return { text: name, position, length: name.length };
}

/** `ticker not` at the end. */
function negationAlone({ text, at }: FailedText): Explanation | undefined {
  const cursor = cursorAt(text, at);
  if (keywordAhead(cursor) !== 'not' || at + afterSpaceAhead(cursor, 'not'.length) < text.length) return undefined;
  const end = { position: text.length, length: 0 };
  const expected = [...NEGATED_OPERATORS.keys()];
  return explanation('UNEXPECTED_END', end, 'an operator is missing after "not"', { expected });
}

/** The name with what a value could hold beyond it, so that `100%` is marked as a whole. */
function loneWord(failed: FailedText, { position, length }: Name): Explanation {
  const { text } = failed;
  let end = position + length;
  while (isWordCharacter(text.charCodeAt(end))) end++;
  const word = { text: text.slice(position, end), position, length: end - position };
  const isField = failed.fields.find(word.text) !== undefined;
  const hint =
    clauseOfResult(text, word) ??
    signHint(text, word) ??
    connectorHint(failed, word) ??
    phraseHint(failed, word) ??
    (isField ? undefined : repeatedValue(failed, word)) ??
    fieldHint(failed, word) ??
    testHint(text, word) ??
    (isField ? 'a field is followed by an operator, such as : = > or in' : freeText(failed, word));
  return explanation('MISSING_OPERATOR', word, `"${echo(word.text)}" stands alone`, { hint, expected: ['operator'] });
}

/** `rating ≥ 3`. */
function signHint(text: string, { text: word, position, length }: Name): Hint | undefined {
  const at = SIGN.test(word) ? position + word.search(SIGN) : afterSpace(text, position + length);
  const sign = TYPOGRAPHIC_SIGNS.get(text.charAt(at));
  if (sign === undefined) return undefined;
  const name = echo(word.split(SIGN)[0] ?? '') || 'field';
  const value = literalAt(text, at + 1);
  return value === undefined ? `the sign is ${sign} here` : writeCondition(`${name} ${sign} ${bare(value.text)}`);
}

/** `ticker:BCT unless rating > 3`. */
function connectorHint({ text, before }: FailedText, { text: word, position, length }: Name): Hint | undefined {
  const hint = FOREIGN_CONNECTORS.get(word.toLowerCase());
  const next = afterSpace(text, position + length);
  const joins = opensCondition(text, next) || text.charAt(next) === '(';
  if (hint === undefined || !joins) return undefined;
  if (before === undefined) return 'leave it out: criteria are conditions alone';
  const isUncertain = typeof hint === 'object' && isJoinedAround(text, position, next);
  return isUncertain ? shownOnly(worded(hint, '', ', with parentheses around what belongs together')) : hint;
}

/** Whether other connectors beside a foreign one make it uncertain what belongs together. */
function isJoinedAround(text: string, position: number, next: number): boolean {
  const groups = /"[^"]*"|'[^']*'|\([^()]*\)/g;
  const before = text.slice(Math.max(0, position - REACH), position).replace(groups, '');
  const behind = text.slice(next, next + REACH).replace(groups, '');
  return /\bor\b|\|\|/i.test(before) || /\b(?:and|or|unless|nor|but)\b|&&|\|\|/i.test(behind);
}

/** `name:Base Carbon`: a value of several words. */
function phraseHint({ text, before, fields }: FailedText, word: Name): Hint | undefined {
  const value = scalarOf(before);
  if (before === undefined || value === undefined || value.quoted) return undefined;
  if (afterSpace(text, value.position + value.length) < word.position) return undefined;
  const field = fields.find(before.field);
  if (field === undefined) return undefined;
  if (fields.find(word.text) !== undefined && field?.type !== 'text') return undefined;
  const end = Math.max(phraseEnd(text, value.position), word.position + word.length);
  const start = echo(text.slice(before.position, value.position));
  const phrase = text.slice(value.position, end);
  if (CLAUSE_WITHIN.test(phrase)) return CLAUSES_HINT;
  if (endsInConnector(phrase) && text.slice(end).trim() !== '') return JOINS_HINT;
  // `source: TOUCAN sans registry`
  if (endsInConnector(word.text) && fields.find(nameAt(text, word.position + word.length)) !== undefined)
    return JOINS_HINT;
  // The `&` of a name ends no value for its author.
  if (/^\s{0,9}&/.test(text.slice(end, end + 10)) && !opensCondition(text, afterSpace(text, end) + 1))
    return QUOTE_HINT;
  const rewrite = quotedSpelling(start, before, field, phrase);
  if (isAccepted(rewrite, fields)) {
    const hint: Proposal = { hint: `${QUOTE_HINT}: ${rewrite}`, replacement: rewrite, of: 'condition' };
    // A slash may stand between two values.
    return phrase.includes('/') ? shownOnly(hint) : hint;
  }
  if (!operatorsOf(field).includes('>')) return undefined;
  const head = { text: before.field, position: before.position, length: value.position - before.position };
  const comparison = comparisonInWords({ text, fields }, head, field.name);
  if (comparison !== undefined) return comparison;
  if (MULTIPLE.test(word.text)) return 'a number has all its digits, such as 1000000';
  return endsInConnector(word.text) ? JOINS_HINT : 'a number or a date is a single word, without a unit';
}

function quotedSpelling(
  start: string,
  before: PredicateNode,
  field: CriteriaField | undefined,
  phrase: string,
): string {
  if (before.kind === 'value' && before.operator === 'like') return `${start}${quotedPattern(phrase)}`;
  if (!/[*?]/.test(phrase)) return `${start}${quote(phrase)}`;
  return patternsOf(field) === 'whole' &&
    !(field?.type === 'text' && before.kind === 'equals' && before.form === 'words')
    ? `${echo(before.field)} like ${quotedPattern(phrase)}`
    : `${start}(${phrase.split(/\s+/).join(' and ')})`;
}

/** A field with no operator of this language. */
function fieldHint(failed: FailedText, word: Name): Hint | undefined {
  const { text, fields } = failed;
  const field = fields.find(word.text);
  if (field === undefined) return undefined;
  const after = word.position + word.length;
  if (nameAt(text, after).toLowerCase() === 'not') return negatedHint(failed, word, field, 'not'.length);
  const corrected = misspelt(failed, word);
  if (corrected !== undefined) return corrected;
  const valueAt = afterSpace(text, after);
  const repair = repaired(field, text.slice(valueAt, phraseEnd(text, valueAt, RUN_ENDS)));
  if (repair !== undefined) return write(`${word.text}:${repair.written}`, fields);
  const value = opensCondition(text, after) ? undefined : literalAt(text, after);
  const isValue =
    value !== undefined &&
    value.pattern !== '*' &&
    !/^(and|or|not|null)$/i.test(value.text) &&
    !fields.find(value.text);
  if (isValue && isClosed(text, value.position + value.length)) {
    return write(`${word.text}:${echo(sourceOf(text, value))}`, fields);
  }
  // `Price (USD) < 10`
  if (text.charAt(valueAt) === '(') return undefined;
  if (!endsCondition(text, after)) {
    return text.charAt(valueAt) === '!' ? negatedHint(failed, word, field, 1) : undefined;
  }
  // Of `registry name: Verra` it is not known what was meant.
  if (nameAt(text, after) !== '' && opensCondition(text, after)) return undefined;
  if (field.type === 'boolean') return writeCondition(`${word.text}:true`);
  return writeCondition(`${word.text} exists`, '; or compare it with a value');
}

/** `ticker nto in (BCT)`, `registry exsits`: the condition with the operator that is nearest. */
function misspelt({ text, fields }: FailedText, word: Name): Proposal | undefined {
  const at = afterSpace(text, word.position + word.length);
  const typed = nameAt(text, at).toLowerCase();
  const meant = typed.length < 3 ? undefined : CORRECTIONS.find((one) => editDistance(typed, one, 2) === 1);
  if (meant === undefined) return undefined;
  const head = `${word.text} ${meant}`;
  const rest = head + text.slice(at + typed.length, at + REACH);
  const condition = firstCondition(rest);
  const proposal = condition && write(rest.slice(0, condition.length), fields);
  const length = at + typed.length - word.position + (condition?.length ?? 0) - head.length;
  return proposal && { ...proposal, range: { position: word.position, length } };
}

/** `exists rating`, `has rating`. */
function testHint(text: string, word: Name): Hint | undefined {
  const after = word.position + word.length;
  const name = nameAt(text, after);
  return name === '' || opensCondition(text, after) ? undefined : existenceTest(word.text, echo(name));
}
