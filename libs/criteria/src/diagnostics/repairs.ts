import { checkCriteria } from '../check/check.js';
import { periodOf } from '../check/date.js';
import { numberOf } from '../check/number.js';
import type { CriteriaField, CriteriaFields } from '../fields.js';
import { parseCriteria } from '../parse/parse.js';
import type { PredicateNode, Span } from '../parse/syntax-tree.js';
import type { Proposal } from './criteria-error.js';
import { writeCondition } from './proposals.js';
import { safeText } from './snippet.js';

/** A value as this language writes it, and what was wrong with it if that is not plain. */
export interface Repair {
  readonly written: string;
  readonly reason?: string;
}

/** Returns the end of a hint that says what was wrong. */
export function because({ reason }: Repair): string {
  return reason === undefined ? '' : ` (${reason})`;
}

/** Returns whether criteria are valid; the names of fields may be unknown. */
export function isAccepted(criteria: string, fields: CriteriaFields): boolean {
  const parsed = parseCriteria(criteria);
  const checked = parsed.ok && checkCriteria(parsed.value, fields);
  return checked !== false && (checked.ok || checked.failures.every(({ rule }) => rule === 'field'));
}

/** Returns the hint for `$1` beside `$2`, whose values were never filled in; undefined for any other piece. */
export function placeholderHint(text: string, { position, length }: Span): string | undefined {
  const isParameter = /^\$\d$/.test(text.slice(position, position + length));
  // `$5` alone is a price.
  return isParameter && text.includes('$1') && text.includes('$2')
    ? 'a placeholder is left: put the value in its place'
    : undefined;
}

const MAX_REWRITE = 200;

/** Returns the hint to write these criteria; undefined if they are not valid as they are shown, or too long. */
export function write(criteria: string, fields: CriteriaFields): Proposal | undefined {
  const shown = safeText(criteria.slice(0, MAX_REWRITE + 1));
  const isShown = shown.length <= MAX_REWRITE && !/[\ufffd…]/.test(shown);
  return isShown && isAccepted(shown, fields) ? writeCondition(shown) : undefined;
}

/** Returns the condition at the start of a text that continues. */
export function firstCondition(text: string): PredicateNode | undefined {
  // A parenthesis that was never opened keeps the parser from consuming the text, so it returns its conditions.
  const parsed = parseCriteria(`${text})`);
  const first = parsed.ok ? undefined : parsed.predicates[0];
  // A parenthesis behind it would make its value the name of a function.
  return first?.position === 0 && !/^\s{0,9}\(/.test(text.slice(first.length, first.length + 10)) ? first : undefined;
}

const UNIT = 'US ?\\$|\\$|€|USD|EUR|dollars?|euros?';
const AMOUNT = new RegExp(`^(?:${UNIT})?\\s*([+\\-–−﹣－]?(?:\\d|\\.\\d)\\S*(?: \\d{3})*(?:[.,]\\d+)?)$`, 'iu');
const TAIL = new RegExp(`(?:\\s*(?:${UNIT})|\\s*(?:t|tonnes?|tCO2e?|credits?))$`, 'iu');
/** Digits in groups of three, with the separator of the decimals that goes with it. */
const GROUPS: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^-?\d{1,3}(,\d{3})+(\.\d+)?$/, /,/g, ''],
  [/^-?\d{1,3}(\.\d{3}){2,}$|^-?\d{1,3}(\.\d{3})+,\d+$/, /\./g, ','],
  [/^-?\d{1,3}([ _’'\u00a0\u202f]\d{3})+([.,]\d+)?$/, /[ _’'\u00a0\u202f]/g, ','],
  [/^-?\d+,\d{1,2}$/, /_/g, ','],
];

/** `$5`, `5 USD`, `1,000`, `1 000`, `1.000,50`: a number has no unit and no separators. */
function repairedNumber(text: string): Repair | undefined {
  const plain =
    AMOUNT.exec(text.replace(TAIL, ''))?.[1]
      ?.replace(/^[–−﹣－]/u, '-')
      .replace(/^\+/, '') ?? '';
  const group = GROUPS.find(([form]) => form.test(plain));
  const written = group === undefined ? plain : plain.replace(group[1], '').replace(group[2] || '\n', '.');
  if (numberOf(written) === undefined || written === text) return undefined;
  return /€|EUR/i.test(text) ? { written, reason: 'a price is in US dollars' } : { written };
}

const HYPHENS = 'a date has hyphens';
const dated = (year = '', month = '', day?: string) =>
  [year, month.padStart(2, '0'), ...(day === undefined ? [] : [day.padStart(2, '0')])].join('-');

/** The form of a date, the function that converts it, and what was wrong. */
type DateFix = readonly [RegExp, (...groups: string[]) => string, string];

/** Date formats of programs and people; `05/06/2020` is not one, because its month is not known. */
const DATE_FIXES: readonly DateFix[] = [
  [
    /^(.{19}\.)(\d{1,2}|\d{4,9})(\D.*|)$/,
    (head, digits, zone) => head + digits.padEnd(3, '0').slice(0, 3) + zone,
    'three digits of a second',
  ],
  [
    /^(.{16,23})([+-]\d\d)(\d\d)?$/,
    (time, hours, minutes = '00') => `${time}${hours}:${minutes}`,
    'a zone has a colon',
  ],
  [/^(\d{4}-\d\d-\d\d)Z$/i, (day) => day, 'a day is in UTC, and has no zone'],
  [/^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/, dated, 'a month and a day have two digits'],
  [/^(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$/, dated, HYPHENS],
  [/^(\d{4})(\d\d)(\d\d)$/, dated, HYPHENS],
  [/^(\d{1,2})[/.](\d{4})$/, (month, year) => dated(year, month), HYPHENS],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, (day, month, year) => dated(year, month, day), HYPHENS],
  [/^(1[3-9]|2\d|3[01])[/-](\d{1,2})[/-](\d{4})$/, (day, month, year) => dated(year, month, day), HYPHENS],
  [/^(\d{1,2})[/-](1[3-9]|2\d|3[01])[/-](\d{4})$/, (month, day, year) => dated(year, month, day), HYPHENS],
  [/^(\d{4}(?:-\d\d)?)-?\*$/, (period) => period, 'a part names its whole period'],
  [/^(?:date|datetime|timestamp)\s?'([^']*)'$/i, (date) => date, 'a date stands alone'],
];

function repairedDate(text: string): Repair | undefined {
  for (const [form, fix, reason] of DATE_FIXES) {
    const [match, ...groups] = form.exec(text) ?? [];
    if (match === undefined) continue;
    const written = fix(...groups);
    if (typeof periodOf(written) !== 'string') return { written, reason };
  }
  return undefined;
}

const DIGITS_OF_YEAR = 4;

/** `201*` as years, `1?` as whole numbers: all that have these digits. */
function repairedPattern(text: string): Repair | undefined {
  const [, digits = '', rest = ''] = /^((?:19|20)\d?(?=\*$)|\d{1,3}(?=\?{1,3}$))(\*|\?+)$/.exec(text) ?? [];
  if (digits === '') return undefined;
  const length = rest === '*' ? DIGITS_OF_YEAR : digits.length + rest.length;
  const written = `${digits.padEnd(length, '0')}..${digits.padEnd(length, '9')}`;
  return { written };
}

/** The second year of `2015-18`. */
function fullYear(low: string, high: string): string {
  const isShort = /^(?:19|20)\d\d$/.test(low) && /^\d\d$/.test(high) && high > low.slice(2);
  return isShort ? `${low.slice(0, 2)}${high}` : high;
}

const LITERALS = { number: repairedNumber, integer: repairedNumber, date: repairedDate } as const;
const SEPARATOR = /\s*(?:\.{2,3}|[-–—])\s*|\/|\s+(?:to|until|through|bis|à)\s+/giu;
const MAX_RUN_LENGTH = 80;

/** Returns a text as a value or range of a field that has an order; undefined if its meaning is not known. */
export function repaired({ type }: CriteriaField, text: string): Repair | undefined {
  if (!(type === 'number' || type === 'integer' || type === 'date') || text.length > MAX_RUN_LENGTH) return undefined;
  const repair = LITERALS[type];
  const single = repair(text) ?? (type === 'number' ? undefined : repairedPattern(text));
  if (single !== undefined) return single;
  const isLiteral = (part: string) =>
    type === 'date' ? typeof periodOf(part) !== 'string' : numberOf(part) !== undefined;
  const literal = (part: string) => (isLiteral(part) ? part : repair(part)?.written);
  if (type !== 'date' && text.endsWith('+') && isLiteral(text.slice(0, -1)))
    return { written: `${text.slice(0, -1)}..` };
  for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
    if (separator === '/' && type !== 'date') continue;
    const [low, high] = [literal(text.slice(0, index)), literal(text.slice(index + separator.length))];
    if (low === undefined || high === undefined) continue;
    return { written: `${low}..${type === 'integer' ? fullYear(low, high) : high}` };
  }
  return undefined;
}
