import type { CriteriaField } from '../fields.js';
import { CODE } from '../text/characters.js';
import type { Hint } from './criteria-error.js';
import { EMPTY_WORDS, UNEQUAL } from './language-words.js';
import { shownOnly, writeCondition } from './proposals.js';
import { asLiteral, bare, type ForeignCondition, quote, quotedPattern } from './source.js';

/** Returns the hint with the spelling of a condition in this language. */
export type Translate = (condition: ForeignCondition) => Hint | undefined;

const ONE_WORD = /^[\p{L}\p{Nd}]+$/u;
const ADDRESS_START = /^0x[0-9a-f]{2,}$/i;
const SHORTEST_INNER = 3;
const REGULAR_SIGNS = /[\\^$.|?*+()[\]{}]/;
/** The hint for a regular expression that no pattern can express. */
export const NO_EXPRESSIONS = 'regular expressions are not supported: use * and ? in a pattern';

/** Returns the kind of patterns that a field accepts; an unknown field is treated as one of whole values. */
export function patternsOf(field: CriteriaField | undefined): 'whole' | 'words' | 'address' | 'none' {
  switch (field?.type) {
    case undefined:
    case 'keyword':
      return 'whole';
    case 'text':
      return field?.exact ? 'whole' : 'words';
    case 'address':
      return 'address';
    default:
      return 'none';
  }
}

/** Returns the condition that some word of the field, or its whole value, is this value. */
export function equality({ name, field, value = 'value' }: ForeignCondition): string {
  return `${name}:${field === undefined || field.type === 'text' ? quote(value) : bare(value)}`;
}

/** Without a value, the spelling has a placeholder. */
const valued =
  (translate: Translate): Translate =>
  (condition) =>
    condition.value === undefined ? shownOnly(translate(condition)) : translate(condition);

const like = (name: string, pattern: string) => `${name} like ${quotedPattern(pattern)}`;

const contains: Translate = valued((condition) => {
  const { name, field, value = 'value' } = condition;
  const isText = field === undefined || field.type === 'text';
  const isShort = [...value].length < SHORTEST_INNER;
  if (patternsOf(field) !== 'whole' || (isShort && isText)) return writeCondition(equality(condition));
  if (isShort) return writeCondition(like(name, `${asLiteral(value)}*`), ' for how it begins');
  const inner = like(name, `*${asLiteral(value)}*`);
  return isText ? writeCondition(equality(condition), ` for words, or ${inner}`) : writeCondition(inner);
});

const startsWith: Translate = valued((condition) => {
  const { name, field, value = 'value' } = condition;
  const patterns = patternsOf(field);
  if (patterns === 'whole') return writeCondition(like(name, `${asLiteral(value)}*`));
  const isPattern =
    (patterns === 'words' && ONE_WORD.test(value)) || (patterns === 'address' && ADDRESS_START.test(value));
  return writeCondition(isPattern ? `${name}:${value}*` : equality(condition));
});

const endsWith: Translate = valued((condition) => {
  const { name, field, value = 'value' } = condition;
  const patterns = patternsOf(field);
  if ([...value].length < SHORTEST_INNER) return 'a pattern that starts with "*" needs three characters more';
  if (patterns === 'whole') return writeCondition(like(name, `*${asLiteral(value)}`));
  return writeCondition(patterns === 'words' && ONE_WORD.test(value) ? `${name}:*${value}` : equality(condition));
});

/** Translates a pattern of SQL, in any letter case. */
export const ilike: Translate = valued((condition) => {
  const { name, field, value = 'value' } = condition;
  if (patternsOf(field) === 'whole') return writeCondition(like(name, fromSqlPattern(value)));
  const words = value.replaceAll('%', ' ').trim();
  return contains({ ...condition, value: words === '' ? undefined : words });
});

/** A pattern of SQL that may also hold signs of a regular expression. */
const similar: Translate = (condition) =>
  REGULAR_SIGNS.test(condition.value ?? '') ? NO_EXPRESSIONS : ilike(condition);

/** `country=like=Bra*`: without a wildcard, some languages mean a part of the value. */
const wild: Translate = ({ name, value = '' }) =>
  /[*%]/.test(value) ? writeCondition(like(name, fromSqlPattern(value))) : 'a pattern has a wildcard: field like "a*"';
const isNull: Translate = ({ name, value = '' }) =>
  /^(true|false)$/i.test(value)
    ? writeCondition(`${name} is ${/^f/i.test(value) ? 'not ' : ''}null`)
    : 'a missing value is field is null';

/** Rewrites a regular expression that some languages compare with the whole value, if a pattern can express it. */
export const matches: Translate = valued((condition) => {
  const { value = 'value', field } = condition;
  if (field !== undefined && patternsOf(field) === 'none') return undefined;
  if (/^\/.*\/$|^\^|\$$/.test(value)) return finds({ ...condition, value: value.replace(/^\/(.*)\/$/, '$1') });
  if (!REGULAR_SIGNS.test(value) && field?.type === 'keyword') return contains(condition);
  if (!REGULAR_SIGNS.test(value)) return writeCondition(equality(condition));
  return expression(condition, fromRegularExpression(value));
});

/** Rewrites a regular expression that is searched for within the value. */
export const finds: Translate = valued((condition) => {
  const { name, field, value = 'value' } = condition;
  const inner = fromRegularExpression(value.replace(/^\^/, '').replace(/\$$/, ''));
  if (/^\^.*\$$/.test(value) && inner !== undefined && !/[*?]/.test(inner) && patternsOf(field) === 'whole') {
    return writeCondition(`${name} = ${bare(inner)}`);
  }
  const pattern = inner && `${value.startsWith('^') ? '' : '*'}${inner}${value.endsWith('$') ? '' : '*'}`;
  return expression(condition, pattern?.replaceAll(/\*+/g, '*'));
});

function expression({ name, field }: ForeignCondition, pattern: string | undefined): Hint {
  const isAllowed = patternsOf(field) === 'whole' && pattern !== undefined && /^[^*?]|[^*?]{3}/.test(pattern);
  return isAllowed ? writeCondition(like(name, pattern)) : NO_EXPRESSIONS;
}

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
const anyOf: Translate = ({ name, list, value = '…' }) => writeCondition(`${name} in (${list || value})`);
const noneOf: Translate = ({ name, list, value = '…' }) => writeCondition(`${name} not in (${list || value})`);

/** Operators and functions of other languages that are words. */
const WORDS: Readonly<Record<string, Translate>> = {
  ...forEachWord(contains, 'contains', 'co', 'includes'),
  ...forEachWord(matches, 'matches'),
  ...forEachWord(finds, 'regexp', 'rlike'),
  ...forEachWord(startsWith, 'startswith', 'starts', 'sw'),
  ...forEachWord(endsWith, 'endswith', 'ends', 'ew'),
  ...forEachWord(ilike, 'ilike'),
  ...forEachWord(similar, 'similar'),
  ...forEachWord(() => 'criteria know only the present', 'was', 'changed'),
  ...forEachWord(equals, 'equal', 'equals'),
  ...forEachWord(differs, 'isnot', 'isnt', 'neq', "isn't", 'isn’t'),
  ...forEachWord(exists, 'exists', '_exists_', 'pr', 'notnull', 'isnotnull', 'isnotempty', 'isnotblank'),
  ...forEachWord(has, 'has'),
  ...forEachWord(isMissing, 'no', 'missing', '_missing_', 'isnull', 'isblank', 'isempty'),
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
  ['=~', matches],
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

/** Returns a pattern of SQL with the wildcards of this language; a pattern without SQL's wildcards keeps its own. */
export function fromSqlPattern(pattern: string): string {
  if (!/[%_]/.test(pattern)) return pattern.replaceAll('\\', '\\\\');
  return asLiteral(pattern).replaceAll('%', '*').replaceAll('_', '?');
}

/** Returns a regular expression as a pattern, if it has only `.` and `.*` between letters and digits. */
export function fromRegularExpression(expression: string): string | undefined {
  let pattern = '';
  for (let at = 0; at < expression.length; at++) {
    const code = expression.charCodeAt(at);
    const isRepeated = expression.charCodeAt(at + 1) === CODE.star;
    if (code === CODE.dot) pattern += isRepeated ? '*' : '?';
    else if (!isRepeated && /[\p{L}\p{Nd} _-]/u.test(expression.charAt(at))) pattern += expression.charAt(at);
    else return undefined;
    if (isRepeated) at++;
  }
  return pattern === '' ? undefined : pattern;
}
