import type { Relation } from '../operators.js';
import type { RangeNode, ValueNode } from '../parse/syntax-tree.js';
import { isDigit } from '../text/characters.js';
import type { Comparison, TypeRule } from './type-failures.js';
import type { Bounds, CheckedNode } from './typed-tree.js';

/** The times that the index can compare, and that have a year of four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The bounds of a comparison with a period: after it starts at its end, up to it ends before its end. */
const BOUNDS: Readonly<Record<Relation, (period: Period) => Bounds>> = {
  '>': ({ end }) => ({ gte: end }),
  '>=': ({ start }) => ({ gte: start }),
  '<': ({ start }) => ({ lt: start }),
  '<=': ({ end }) => ({ lt: end }),
};

/** A literal is a period as long as its precision, in UTC; equality means "within it". */
export const DATE: TypeRule = {
  equals: (comparison, node) => {
    const period = readPeriod(comparison, node);
    return period && rangeCondition(comparison, node, node, { gte: period.start, lt: period.end });
  },
  matches: (comparison, value) => comparison.fail('pattern', value),
  compares: (comparison, node, relation) => {
    const period = readPeriod(comparison, node);
    return period && rangeCondition(comparison, node, node, BOUNDS[relation](period));
  },
  inRange,
};

function inRange(comparison: Comparison, range: RangeNode): CheckedNode | undefined {
  const { low, high } = range;
  const lowest = low && readPeriod(comparison, low);
  const highest = high && readPeriod(comparison, high);
  if ((low && !lowest) || (high && !highest)) return undefined;
  const gte = range.aboveLow ? lowest?.end : lowest?.start;
  const lt = range.belowHigh ? highest?.start : highest?.end;
  if (gte !== undefined && lt !== undefined && gte >= lt) return comparison.fail('emptyRange', range);
  return rangeCondition(comparison, low, high, { ...(gte !== undefined && { gte }), ...(lt !== undefined && { lt }) });
}

function readPeriod(comparison: Comparison, value: ValueNode): Period | undefined {
  const period = periodOf(value.text);
  if (typeof period !== 'string') return period;
  return comparison.fail(period === 'form' ? 'date' : 'calendar', value);
}

/** Returns the condition if the index can store its bounds; a later end becomes the last time. */
function rangeCondition(
  comparison: Comparison,
  low: ValueNode | undefined,
  high: ValueNode | undefined,
  bounds: Bounds,
): CheckedNode | undefined {
  const { field } = comparison;
  const far = isComparable(bounds.gte) ? high : low;
  if (far === undefined || (isComparable(bounds.gte) && isComparable(bounds.lt))) {
    return { kind: 'range', field, bounds };
  }
  const { lt, ...rest } = bounds;
  if (lt !== undefined && lt > LAST && isComparable(rest.gte)) {
    return { kind: 'range', field, bounds: { ...rest, lte: LAST } };
  }
  return comparison.fail('years', far);
}

function isComparable(time: number | undefined): boolean {
  return time === undefined || (time >= FIRST && time <= LAST);
}

/** The period of a date literal: from its start to just before its end, in milliseconds since 1970, UTC. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** Why a text is not a period: it has another form, or there is no such day or time. */
export type DateError = 'form' | 'calendar';

/** The forms without a zone, longest first; `0` is any digit, and `T` may be lower case. */
const FORMS = [
  { form: '0000-00-00T00:00:00.000', unit: 'millisecond' },
  { form: '0000-00-00T00:00:00', unit: 'second' },
  { form: '0000-00-00T00:00', unit: 'minute' },
  { form: '0000-00-00', unit: 'day' },
  { form: '0000-00', unit: 'month' },
  { form: '0000', unit: 'year' },
] as const;

type Unit = (typeof FORMS)[number]['unit'];

const LENGTHS: Readonly<Record<'day' | 'minute' | 'second' | 'millisecond', number>> = {
  day: 86_400_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};
const ZONE_FORM = '+00:00';
const SHORTEST_WITH_TIME = '0000-00-00T00:00'.length;

/** The period of `2022`, `2022-02`, `2022-02-28`, a minute, a second or a millisecond; times may carry a zone. */
export function periodOf(text: string): Period | DateError {
  const zoneAt = zoneStart(text);
  const local = text.slice(0, zoneAt);
  const found = FORMS.find(({ form }) => hasForm(local, form));
  const shift = zoneShift(text.slice(zoneAt));
  if (found === undefined || shift === undefined) return 'form';
  const start = startOf(local);
  if (start === undefined || Number.isNaN(shift)) return 'calendar';
  return { start: start - shift, end: endOf(start, found.unit) - shift };
}

/** The start of a zone; only a time can have one, so the hyphens of a date are never read as its sign. */
function zoneStart(text: string): number {
  for (let at = SHORTEST_WITH_TIME; at < text.length; at++) {
    if ('Zz+-'.includes(text.charAt(at))) return at;
  }
  return text.length;
}

/** Returns the milliseconds ahead of UTC; `NaN` for an unknown zone, undefined for another form. */
function zoneShift(zone: string): number | undefined {
  if (zone === '' || zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  if (!hasForm(sign < 0 ? zone.replace('-', '+') : zone, ZONE_FORM)) return undefined;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  return hours > 23 || minutes > 59 ? Number.NaN : sign * (hours * 60 + minutes) * LENGTHS.minute;
}

function hasForm(text: string, form: string): boolean {
  if (text.length !== form.length) return false;
  for (let at = 0; at < form.length; at++) {
    const expected = form.charAt(at);
    if (expected === '0' ? !isDigit(text.charCodeAt(at)) : text.charAt(at).toUpperCase() !== expected) return false;
  }
  return true;
}

function startOf(local: string): number | undefined {
  const part = (from: number, to: number, absent: number) =>
    local.length < to ? absent : Number(local.slice(from, to));
  const [year, month, day] = [part(0, 4, 0), part(5, 7, 1), part(8, 10, 1)];
  const [hour, minute, second, ms] = [part(11, 13, 0), part(14, 16, 0), part(17, 19, 0), part(20, 23, 0)];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCFullYear() === year;
  return isReal && hour < 24 && minute < 60 && second < 60 ? date.setUTCHours(hour, minute, second, ms) : undefined;
}

function endOf(start: number, unit: Unit): number {
  const date = new Date(start);
  if (unit === 'year') return date.setUTCFullYear(date.getUTCFullYear() + 1);
  if (unit === 'month') return date.setUTCMonth(date.getUTCMonth() + 1);
  return start + LENGTHS[unit];
}
