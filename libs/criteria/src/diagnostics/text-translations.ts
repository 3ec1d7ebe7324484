import type { CriteriaField } from '../fields.js';
import { CODE } from '../text/characters.js';
import type { Hint } from './criteria-error.js';
import { shownOnly, writeCondition } from './proposals.js';
import { asLiteral, bare, type ForeignCondition, quote, quotedPattern } from './source.js';

/** Returns the hint with the spelling of a condition in this language. */
export type Translate = (condition: ForeignCondition) => Hint | undefined;

const ONE_WORD = /^[\p{L}\p{Nd}]+$/u;
const ADDRESS_START = /^0x[0-9a-f]{2,}$/i;
const SHORTEST_INNER = 3;
const ALTERNATIVES = /^[\p{L}\p{Nd} _-]+(?:\|[\p{L}\p{Nd} _-]+)+$/u;
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

/** Returns a translation that is only shown where there is no value, because it has a placeholder. */
export const valued =
  (translate: Translate): Translate =>
  (condition) =>
    condition.value === undefined ? shownOnly(translate(condition)) : translate(condition);

const like = (name: string, pattern: string) => `${name} like ${quotedPattern(pattern)}`;

/** Translates a search for a part of the value. */
export const contains: Translate = valued((condition) => {
  const { name, field, value = 'value' } = condition;
  const isText = field === undefined || field.type === 'text';
  const isShort = [...value].length < SHORTEST_INNER;
  if (patternsOf(field) !== 'whole' || (isShort && isText)) return writeCondition(equality(condition));
  if (isShort) return writeCondition(like(name, `${asLiteral(value)}*`), ' for how it begins');
  // A list contains whole values, to most languages.
  if (field?.multi && !isText)
    return writeCondition(equality(condition), `, or ${like(name, `*${asLiteral(value)}*`)} for a part of a value`);
  return writeCondition(like(name, `*${asLiteral(value)}*`), isText ? `, or ${equality(condition)} for words` : '');
});

/** Translates a search for the beginning of the value. */
export const startsWith: Translate = valued((condition) => {
  const { name, field, value = 'value' } = condition;
  const patterns = patternsOf(field);
  if (patterns === 'whole') return writeCondition(like(name, `${asLiteral(value)}*`));
  const isPattern =
    (patterns === 'words' && ONE_WORD.test(value)) || (patterns === 'address' && ADDRESS_START.test(value));
  return writeCondition(isPattern ? `${name}:${value}*` : equality(condition));
});

/** Translates a search for the end of the value. */
export const endsWith: Translate = valued((condition) => {
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
export const similar: Translate = (condition) =>
  REGULAR_SIGNS.test(condition.value ?? '') ? NO_EXPRESSIONS : ilike(condition);

/** `country=like=Bra*`: without a wildcard, some languages mean a part of the value. */
export const wild: Translate = ({ name, value = '' }) =>
  /[*%]/.test(value) ? writeCondition(like(name, fromSqlPattern(value))) : 'a pattern has a wildcard: field like "a*"';

/** Rewrites a regular expression that some languages compare with the whole value, if a pattern can express it. */
export const matches: Translate = valued((condition) => {
  const { name, value = 'value', field } = condition;
  if (ALTERNATIVES.test(value)) {
    const list = value.split('|').map(bare).join(', ');
    return shownOnly(writeCondition(`${name} in (${list})`, ' for whole values'));
  }
  if (field !== undefined && patternsOf(field) === 'none') return undefined;
  if (/^\/.*\/$|^\^|\$$/.test(value)) return finds({ ...condition, value: value.replace(/^\/(.*)\/$/, '$1') });
  if (!REGULAR_SIGNS.test(value) && field?.type === 'keyword') return contains(condition);
  if (!REGULAR_SIGNS.test(value)) return writeCondition(equality(condition));
  return expression(condition, fromRegularExpression(value));
});

/** Kusto compares whole values with `=~`, others look for a part: without a regular expression both are shown. */
export const equalOrMatches: Translate = valued((condition) => {
  const { name, value = 'value', field } = condition;
  if (value.startsWith('/') || REGULAR_SIGNS.test(value) || patternsOf(field) !== 'whole') return matches(condition);
  return shownOnly(
    writeCondition(`${name} = ${bare(value)}`, `, or ${like(name, `*${asLiteral(value)}*`)} for a part of it`),
  );
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
