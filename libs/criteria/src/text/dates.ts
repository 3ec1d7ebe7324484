import { CODE, isDigit, LOWER_CASE_BIT } from './characters.js';

/** The shape of a date with an hour; `0` stands for any digit. */
const DATE_AND_HOUR = '0000-00-00T00';
const DATE_LENGTH = '0000-00-00'.length;
const MINUTE = DATE_AND_HOUR.length;
const SECOND = MINUTE + 3;
const ZONE_HOUR = 3;

/**
 * Returns whether the colon at `at` belongs to a date-time that begins at `start`, as in `2022-02-28T10:30:00+02:00`:
 * before the minute, before the second, or in the zone. Any other colon is an operator.
 */
export function isClockColon(text: string, start: number, at: number): boolean {
  const length = at - start;
  if (length < MINUTE || !isDigit(text.charCodeAt(at + 1)) || !hasShape(text, start, MINUTE)) return false;
  return length === MINUTE || length === SECOND || isZoneSign(text.charCodeAt(at - ZONE_HOUR));
}

/** Returns whether a text is a day, `2022-02-28`. */
export function isDate(text: string): boolean {
  return text.length === DATE_LENGTH && hasShape(text, 0, DATE_LENGTH);
}

/** Returns whether a text begins with a day and an hour. */
export function isDateTime(text: string): boolean {
  return hasShape(text, 0, MINUTE);
}

/** Returns whether a clock time, `10:30`, begins at a position. */
export function isClockAt(text: string, at: number): boolean {
  const [hour, hours, colon, minute, minutes] = [0, 1, 2, 3, 4].map((ahead) => text.charCodeAt(at + ahead));
  return colon === CODE.colon && [hour, hours, minute, minutes].every((code) => isDigit(code ?? 0));
}

function hasShape(text: string, start: number, length: number): boolean {
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(start + index);
    const expected = DATE_AND_HOUR.charCodeAt(index);
    if (expected === 0x30 ? !isDigit(code) : code !== expected && code !== (expected | LOWER_CASE_BIT)) return false;
  }
  return true;
}

function isZoneSign(code: number): boolean {
  return code === CODE.plus || code === CODE.minus;
}
