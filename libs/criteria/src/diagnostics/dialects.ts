import type { CriteriaField } from '../fields.js';
import { CODE } from '../text/characters.js';
import { EMPTY_WORDS } from './language-words.js';
import { asLiteral, bare, type ForeignCondition, quote, quotedPattern } from './source.js';

/** Returns the spelling of a condition in this language: the hint. */
export type Rewrite = (condition: ForeignCondition) => string | undefined;

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

const like = (name: string, pattern: string) => `${name} like ${quotedPattern(pattern)}`;

const contains: Rewrite = (condition) => {
  const { name, field, value = 'value' } = condition;
  if (patternsOf(field) !== 'whole') return `write ${equality(condition)}`;
  const isText = field === undefined || field.type === 'text';
  if ([...value].length < SHORTEST_INNER) {
    return isText ? `write ${equality(condition)}` : `write ${like(name, `${asLiteral(value)}*`)} for how it begins`;
  }
  const inner = like(name, `*${asLiteral(value)}*`);
  return isText ? `write ${equality(condition)} for words, or ${inner}` : `write ${inner}`;
};

const startsWith: Rewrite = (condition) => {
  const { name, field, value = 'value' } = condition;
  const patterns = patternsOf(field);
  if (patterns === 'whole') return `write ${like(name, `${asLiteral(value)}*`)}`;
  const isPattern =
    (patterns === 'words' && ONE_WORD.test(value)) || (patterns === 'address' && ADDRESS_START.test(value));
  return `write ${isPattern ? `${name}:${value}*` : equality(condition)}`;
};

const endsWith: Rewrite = (condition) => {
  const { name, field, value = 'value' } = condition;
  const patterns = patternsOf(field);
  if ([...value].length < SHORTEST_INNER) return 'a pattern that starts with "*" needs three characters more';
  if (patterns === 'whole') return `write ${like(name, `*${asLiteral(value)}`)}`;
  return `write ${patterns === 'words' && ONE_WORD.test(value) ? `${name}:*${value}` : equality(condition)}`;
};

const ilike: Rewrite = (condition) => {
  const { name, field, value = 'value' } = condition;
  if (patternsOf(field) === 'whole') return `write ${like(name, fromSqlPattern(value))}`;
  return `write ${equality({ ...condition, value: value.replaceAll('%', ' ').trim() || 'value' })}`;
};

/** A pattern of SQL that may also hold signs of a regular expression. */
const similar: Rewrite = (condition) => (REGULAR_SIGNS.test(condition.value ?? '') ? NO_EXPRESSIONS : ilike(condition));

/** `country=like=Bra*`: without a wildcard, some languages mean a part of the value. */
const wild: Rewrite = ({ name, value = '' }) =>
  /[*%]/.test(value) ? `write ${like(name, fromSqlPattern(value))}` : 'a pattern has a wildcard: field like "a*"';
const isNull: Rewrite = ({ name, value = '' }) =>
  /^(true|false)$/i.test(value)
    ? `write ${name} is ${/^f/i.test(value) ? 'not ' : ''}null`
    : 'a missing value is field is null';

/** Rewrites a regular expression that some languages compare with the whole value, if a pattern can express it. */
export const matches: Rewrite = (condition) => {
  const { value = 'value', field } = condition;
  if (field !== undefined && patternsOf(field) === 'none') return undefined;
  if (/^\/.*\/$|^\^|\$$/.test(value)) return finds({ ...condition, value: value.replace(/^\/(.*)\/$/, '$1') });
  if (!REGULAR_SIGNS.test(value)) return `write ${equality(condition)}`;
  return expression(condition, fromRegularExpression(value));
};

/** Rewrites a regular expression that is searched for within the value. */
export const finds: Rewrite = (condition) => {
  const { name, field, value = 'value' } = condition;
  const inner = fromRegularExpression(value.replace(/^\^/, '').replace(/\$$/, ''));
  if (/^\^.*\$$/.test(value) && inner !== undefined && !/[*?]/.test(inner) && patternsOf(field) === 'whole') {
    return `write ${name} = ${bare(inner)}`;
  }
  const pattern = inner && `${value.startsWith('^') ? '' : '*'}${inner}${value.endsWith('$') ? '' : '*'}`;
  return expression(condition, pattern?.replaceAll(/\*+/g, '*'));
};

function expression({ name, field }: ForeignCondition, pattern: string | undefined): string {
  const isAllowed = patternsOf(field) === 'whole' && pattern !== undefined && /^[^*?]|[^*?]{3}/.test(pattern);
  return isAllowed ? `write ${like(name, pattern)}` : NO_EXPRESSIONS;
}

const ORDERED_TYPES = ['number', 'integer', 'date'];

const relation =
  (sign: string): Rewrite =>
  ({ name, field, value = 'value' }) =>
    field === undefined || ORDERED_TYPES.includes(field.type)
      ? `write ${name} ${sign} ${bare(value)}`
      : 'ranges work on numbers and dates';

const equals: Rewrite = ({ name, field, value = 'value' }) =>
  patternsOf(field) === 'words' ? `write ${name}:${quote(value)}` : `write ${name} = ${bare(value)}`;
const differs: Rewrite = ({ name, field, value = 'value' }) =>
  /^null$/i.test(value)
    ? `write ${name} is not null`
    : patternsOf(field) === 'words'
      ? `write not ${name}:${quote(value)}`
      : `write ${name} != ${bare(value)}`;
const exists: Rewrite = ({ name }) => `write ${name} exists`;
const isMissing: Rewrite = ({ name }) => `write ${name} is null`;
const has: Rewrite = (condition) =>
  condition.value === undefined ? exists(condition) : `write ${equality(condition)}`;
const anyOf: Rewrite = ({ name, list, value = '…' }) => `write ${name} in (${list || value})`;
const noneOf: Rewrite = ({ name, list, value = '…' }) => `write ${name} not in (${list || value})`;

/** Operators and functions of other languages that are words. */
const WORDS: Readonly<Record<string, Rewrite>> = {
  ...rewriteForEach(contains, 'contains', 'co', 'includes'),
  ...rewriteForEach(matches, 'matches'),
  ...rewriteForEach(finds, 'regexp', 'rlike'),
  ...rewriteForEach(startsWith, 'startswith', 'starts', 'sw'),
  ...rewriteForEach(endsWith, 'endswith', 'ends', 'ew'),
  ...rewriteForEach(ilike, 'ilike'),
  ...rewriteForEach(similar, 'similar'),
  ...rewriteForEach(() => 'criteria know only the present', 'was', 'changed'),
  ...rewriteForEach(equals, 'equal', 'equals'),
  ...rewriteForEach(differs, 'isnot', 'isnt', 'neq', "isn't", 'isn’t'),
  ...rewriteForEach(exists, 'exists', '_exists_', 'pr', 'notnull', 'isnotnull', 'isnotempty', 'isnotblank'),
  ...rewriteForEach(has, 'has'),
  ...rewriteForEach(isMissing, 'no', 'missing', '_missing_', 'isnull', 'isblank', 'isempty'),
  ...rewriteForEach(anyOf, 'any', 'oneof'),
  ...rewriteForEach(noneOf, 'notin', 'nin'),
  ...rewriteForEach(relation('>'), 'after', 'greater', 'more', 'above', 'over'),
  ...rewriteForEach(relation('<'), 'before', 'less', 'fewer', 'below', 'under'),
};

function rewriteForEach(rewrite: Rewrite, ...words: readonly string[]): Record<string, Rewrite> {
  return Object.fromEntries(words.map((word) => [word, rewrite]));
}

const assign =
  (operator: string): Rewrite =>
  ({ name, value }) =>
    EMPTY_WORDS.has(value?.toLowerCase() ?? '')
      ? `write ${name} is ${operator === '=' ? '' : 'not '}null`
      : `write ${name} ${operator} ${value === undefined ? '' : bare(value)}`.trimEnd();
const listed =
  (operator: string): Rewrite =>
  ({ name, list, value }) =>
    `write ${name} ${operator} (${list || '…'}) ${value === undefined ? '' : bare(value)}`.trimEnd();

/** Operators of other languages that consist of symbols, or of letters between symbols as in RSQL. */
export const FOREIGN_SIGNS: ReadonlyMap<string, Rewrite> = new Map([
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
  ['^=', differs],
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

/** Returns the rewrite for a word operator or function, in any letter case. */
export function rewriteOf(word: string): Rewrite | undefined {
  const lower = word.toLowerCase();
  return Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined;
}

/** Returns a hint with the negation of each condition that it proposes. */
export function negated(hint: string | undefined): string | undefined {
  return hint?.replace('write ', 'write not ').replace(' for words, or ', ' for words, or not ');
}

/** Returns the condition for existence, given a word for it before a field in another language. */
export function existenceTest(word: string, name: string): string | undefined {
  const rewrite = rewriteOf(word);
  const isTest = rewrite === exists || rewrite === has || rewrite === isMissing;
  return isTest ? rewrite({ name, field: undefined, value: undefined, list: '' }) : undefined;
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
