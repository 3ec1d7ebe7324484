import type { Hint } from './criteria-error.js';
import { EMPTY_WORDS, UNEQUAL } from './language-words.js';
import { writeCondition } from './proposals.js';
import { bare, quote } from './source.js';
import {
  contains,
  endsWith,
  equality,
  equalOrMatches,
  finds,
  ilike,
  matches,
  patternsOf,
  similar,
  startsWith,
  type Translate,
  valued,
  wild,
} from './text-translations.js';

const isNull: Translate = ({ name, value = '' }) =>
  /^(true|false)$/i.test(value)
    ? writeCondition(`${name} is ${/^f/i.test(value) ? 'not ' : ''}null`)
    : 'a missing value is written: field is null';

const ORDERED_TYPES = ['number', 'integer', 'date'];
const relation = (sign: string): Translate =>
  valued(({ name, field, value = 'value' }) =>
    field === undefined || ORDERED_TYPES.includes(field.type)
      ? writeCondition(`${name} ${sign} ${bare(value)}`)
      : 'ranges work on numbers and dates',
  );

const equals: Translate = valued(({ name, field, value = 'value' }) =>
  writeCondition(patternsOf(field) === 'words' ? `${name}:${quote(value)}` : `${name} = ${bare(value)}`),
);
const differs: Translate = valued(({ name, field, value = 'value' }) =>
  /^null$/i.test(value)
    ? writeCondition(`${name} is not null`)
    : writeCondition(patternsOf(field) === 'words' ? `not ${name}:${quote(value)}` : `${name} != ${bare(value)}`),
);
const exists: Translate = ({ name }) => writeCondition(`${name} exists`);
const isMissing: Translate = ({ name }) => writeCondition(`${name} is null`);
const has: Translate = (condition) =>
  condition.value === undefined ? exists(condition) : writeCondition(equality(condition));
const oneOf =
  (operator: string): Translate =>
  ({ name, list, value = list }) =>
    value === ''
      ? `several values are written field ${operator} (a, b)`
      : writeCondition(`${name} ${operator} (${list || value})`);
const anyOf = oneOf('in');
const noneOf = oneOf('not in');

/** Operators and functions of other languages that are words. */
const WORDS: Readonly<Record<string, Translate>> = {
  ...forEachWord(contains, 'contains', 'co', 'includes'),
  ...forEachWord(matches, 'matches'),
  ...forEachWord(finds, 'regexp', 'rlike'),
  ...forEachWord(startsWith, 'startswith', 'starts', 'begins', 'sw'),
  ...forEachWord(endsWith, 'endswith', 'ends', 'ew'),
  ...forEachWord(ilike, 'ilike'),
  ...forEachWord(similar, 'similar'),
  ...forEachWord(() => 'criteria know only the present', 'was', 'changed'),
  ...forEachWord(equals, 'equal', 'equals'),
  ...forEachWord(differs, 'isnot', 'isnt', 'neq', "isn't", 'isn’t'),
  ...forEachWord(exists, 'exists', '_exists_', 'pr', 'notnull', 'notna', 'isnotnull', 'isnotempty', 'isnotblank'),
  ...forEachWord(has, 'has'),
  ...forEachWord(isMissing, 'no', 'missing', '_missing_', 'isnull', 'isna', 'isblank', 'isempty'),
  ...forEachWord(anyOf, 'any', 'oneof'),
  ...forEachWord(noneOf, 'notin', 'nin'),
  ...forEachWord(relation('>'), 'after', 'greater', 'more', 'above', 'over'),
  ...forEachWord(relation('<'), 'before', 'less', 'fewer', 'below', 'under'),
};

function forEachWord(translate: Translate, ...words: readonly string[]): Record<string, Translate> {
  return Object.fromEntries(words.map((word) => [word, translate]));
}

const assign =
  (operator: string): Translate =>
  ({ name, value }) =>
    writeCondition(
      EMPTY_WORDS.has(value?.toLowerCase() ?? '')
        ? `${name} is ${operator === '=' ? '' : 'not '}null`
        : `${name} ${operator} ${value === undefined ? '' : bare(value)}`.trimEnd(),
    );
const listed =
  (operator: string): Translate =>
  ({ name, list, value }) =>
    writeCondition(`${name} ${operator} (${list || '…'}) ${value === undefined ? '' : bare(value)}`.trimEnd());

/** Operators of other languages that consist of symbols, or of letters between symbols as in RSQL. */
export const FOREIGN_SIGNS: ReadonlyMap<string, Translate> = new Map([
  ['=gt=', relation('>')],
  ['=ge=', relation('>=')],
  ['=lt=', relation('<')],
  ['=le=', relation('<=')],
  ['=in=', listed('in')],
  ['=out=', listed('not in')],
  ['=like=', wild],
  ['=ilike=', wild],
  ['=isnull=', isNull],
  ['=null=', isNull],
  ['!>', relation('<=')],
  ['!<', relation('>=')],
  ['^=', () => UNEQUAL],
  ['<=>', equals],
  ['=>', relation('>=')],
  ['=<', relation('<=')],
  ['=~', equalOrMatches],
  ['===', assign('=')],
  ['!==', assign('!=')],
]);

/** Symbols that word processors insert. */
export const TYPOGRAPHIC_SIGNS: ReadonlyMap<string, string> = new Map([
  ['≥', '>='],
  ['≤', '<='],
  ['≠', '!='],
  ['＝', '='],
  ['＞', '>'],
  ['＜', '<'],
  ['：', ':'],
]);

/** Returns the translation of a word operator or function, in any letter case. */
export function translationOf(word: string): Translate | undefined {
  const lower = word.toLowerCase();
  return Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined;
}

/** Returns the negation of the spelling of a condition. */
export function negated(translate: Translate): Translate {
  return (condition) => translate({ ...condition, name: `not ${condition.name}` });
}

/** Returns the condition for existence, given a word for it before a field in another language. */
export function existenceTest(word: string, name: string): Hint | undefined {
  const translate = translationOf(word);
  const isTest = translate === exists || translate === has || translate === isMissing;
  return isTest ? translate({ name, field: undefined, value: undefined, list: '' }) : undefined;
}
