import type { CriteriaField } from '../../fields.js';
import { asLiteral, bare, quoted, quotedPattern } from '../advice/spell.js';
import { asPattern } from '../values/regular-expression.js';

/** What a word of another language was applied to. */
export interface Asked {
  /** The name as written. */
  readonly name: string;
  /** The field of that name, when the fields are known and it is one. */
  readonly field: CriteriaField | undefined;
  /** The value behind the word, without its quotes; undefined when there is none. */
  readonly value: string | undefined;
  /** What stands in parentheses behind the word. */
  readonly list: string;
}

/** How a condition is written here: the hint. */
export type Rewrite = (asked: Asked) => string;

/** What kinds of patterns a field takes: of whole values, of words, of addresses, or none. */
type Patterns = 'whole' | 'words' | 'address' | 'none';

const ONE_WORD = /^[\p{L}\p{Nd}]+$/u;
const ADDRESS_START = /^0x[0-9a-f]{2,}$/i;
const SHORTEST_INNER = 3;
const REGULAR_SIGNS = /[\\^$.|?*+()[\]{}]/;

/** The kinds of patterns of a field; those of an unknown one are taken for whole values. */
export function patternsOf(field: CriteriaField | undefined): Patterns {
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

/** The condition that some part of the field, or its whole, is this value. */
export function equality({ name, field, value = 'value' }: Asked): string {
  return `${name}:${field === undefined || field.type === 'text' ? quoted(value) : bare(value)}`;
}

const like = (name: string, pattern: string) => `${name} like ${quotedPattern(pattern)}`;

const contains: Rewrite = (asked) => {
  const { name, field, value = 'value' } = asked;
  if (patternsOf(field) !== 'whole') return `write ${equality(asked)}`;
  const isText = field === undefined || field.type === 'text';
  if ([...value].length < SHORTEST_INNER) {
    return isText ? `write ${equality(asked)}` : `write ${like(name, `${asLiteral(value)}*`)} for how it begins`;
  }
  const inner = like(name, `*${asLiteral(value)}*`);
  return isText ? `write ${equality(asked)} for words, or ${inner}` : `write ${inner}`;
};

const startsWith: Rewrite = (asked) => {
  const { name, field, value = 'value' } = asked;
  const patterns = patternsOf(field);
  if (patterns === 'whole') return `write ${like(name, `${asLiteral(value)}*`)}`;
  const isPattern =
    (patterns === 'words' && ONE_WORD.test(value)) || (patterns === 'address' && ADDRESS_START.test(value));
  return `write ${isPattern ? `${name}:${value}*` : equality(asked)}`;
};

const endsWith: Rewrite = (asked) => {
  const { name, field, value = 'value' } = asked;
  const patterns = patternsOf(field);
  if ([...value].length < SHORTEST_INNER) return 'a pattern that starts with "*" needs three characters more';
  if (patterns === 'whole') return `write ${like(name, `*${asLiteral(value)}`)}`;
  return `write ${patterns === 'words' && ONE_WORD.test(value) ? `${name}:*${value}` : equality(asked)}`;
};

/** SQL's pattern: `%` and `_` are its wildcards. */
const ilike: Rewrite = (asked) => {
  const { name, field, value = 'value' } = asked;
  if (patternsOf(field) === 'whole') return `write ${like(name, fromSql(value))}`;
  return `write ${equality({ ...asked, value: value.replaceAll('%', ' ').trim() || 'value' })}`;
};

/** A regular expression, as far as a pattern can say the same. */
const matches: Rewrite = (asked) => {
  const { name, field, value = 'value' } = asked;
  if (!REGULAR_SIGNS.test(value)) return `write ${equality(asked)}`;
  const pattern = asPattern(value.replace(/^\^/, '').replace(/\$$/, ''));
  const isAllowed = patternsOf(field) === 'whole' && pattern !== undefined && /^[^*?]|[^*?]{3}/.test(pattern);
  return isAllowed ? `write ${like(name, pattern)}` : 'regular expressions are not supported: use * and ? in a pattern';
};

const isOrdered = (field: CriteriaField | undefined) =>
  field === undefined || ['number', 'integer', 'date'].includes(field.type);

/** A comparison by size. */
export const compared =
  (sign: string): Rewrite =>
  (asked) =>
    isOrdered(asked.field)
      ? `write ${asked.name} ${sign} ${bare(asked.value ?? 'value')}`
      : 'ranges work on numbers and dates';

const equals: Rewrite = ({ name, field, value = 'value' }) =>
  patternsOf(field) === 'words' ? `write ${name}:${quoted(value)}` : `write ${name} = ${bare(value)}`;
const differs: Rewrite = ({ name, field, value = 'value' }) =>
  patternsOf(field) === 'words' ? `write not ${name}:${quoted(value)}` : `write ${name} != ${bare(value)}`;
const exists: Rewrite = ({ name }) => `write ${name} exists`;
const isMissing: Rewrite = ({ name }) => `write ${name} is null`;
const holds: Rewrite = (asked) => (asked.value === undefined ? exists(asked) : `write ${equality(asked)}`);
const anyOf: Rewrite = ({ name, list, value = 'a, b' }) => `write ${name} in (${list || value})`;
const noneOf: Rewrite = ({ name, list, value = 'a, b' }) => `write ${name} not in (${list || value})`;

/** Operators and functions of other languages that are words. */
const REWRITES: ReadonlyMap<string, Rewrite> = new Map([
  ['contains', contains],
  ['co', contains],
  ['includes', contains],
  ['matches', matches],
  ['regexp', matches],
  ['rlike', matches],
  ['startswith', startsWith],
  ['starts', startsWith],
  ['sw', startsWith],
  ['endswith', endsWith],
  ['ends', endsWith],
  ['ew', endsWith],
  ['ilike', ilike],
  ['equals', equals],
  ['isnot', differs],
  ['exists', exists],
  ['_exists_', exists],
  ['has', holds],
  ['pr', exists],
  ['notnull', exists],
  ['isnotnull', exists],
  ['no', isMissing],
  ['missing', isMissing],
  ['_missing_', isMissing],
  ['isnull', isMissing],
  ['any', anyOf],
  ['oneof', anyOf],
  ['notin', noneOf],
  ['nin', noneOf],
  ['after', compared('>')],
  ['before', compared('<')],
]);

/** Words that stand before a field to ask whether it has a value. */
const TESTS: ReadonlySet<Rewrite> = new Set([exists, holds, isMissing]);

/** The rewrite for a word operator or function, in any letter case. */
export function rewriteOf(word: string): Rewrite | undefined {
  return REWRITES.get(word.toLowerCase());
}

/** How existence is asked for here, given the word that asks for it before a field in another language. */
export function existenceTest(word: string, name: string): string | undefined {
  const rewrite = rewriteOf(word);
  if (rewrite === undefined || !TESTS.has(rewrite)) return undefined;
  return rewrite({ name, field: undefined, value: undefined, list: '' });
}

/** The rewrite for a sign that asks for a match: `~`, `=~`. */
export const matchRewrite: Rewrite = matches;

/** A pattern of SQL with the wildcards of this language; one that holds none of SQL's keeps those it has. */
export function fromSql(pattern: string): string {
  if (!/[%_]/.test(pattern)) return pattern.replaceAll('\\', '\\\\');
  return asLiteral(pattern).replaceAll('%', '*').replaceAll('_', '?');
}
