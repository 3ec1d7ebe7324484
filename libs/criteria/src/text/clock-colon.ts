import { isDigit } from './characters.js';
import { CODE, SMALL } from './codes.js';

/** The shape up to the first colon of a date with a time; `0` stands for any digit. */
const DATE_AND_HOUR = '0000-00-00T00';
const DATE = '0000-00-00'.length;
const MINUTE = DATE_AND_HOUR.length;
const SECOND = MINUTE + 3;
const ZONE_HOUR = 3;

/**
 * Whether the colon at `at` belongs to a date-time that began at `start`, as in `2022-02-28T10:30:00+02:00`: before
 * the minute, before the second, or within the zone. Everywhere else a colon is an operator.
 */
export function isClockColon(text: string, start: number, at: number): boolean {
  const length = at - start;
  if (length < MINUTE || !isDigit(text.charCodeAt(at + 1)) || !hasShape(text, start, MINUTE)) return false;
  return length === MINUTE || length === SECOND || isZoneSign(text.charCodeAt(at - ZONE_HOUR));
}

/** Whether a text has the shape of a day, `2022-02-28`. */
export function isDate(text: string): boolean {
  return text.length === DATE && hasShape(text, 0, DATE);
}

/** Whether a text begins with the shape of a day and an hour. */
export function isDateTime(text: string): boolean {
  return hasShape(text, 0, MINUTE);
}

function hasShape(text: string, start: number, length: number): boolean {
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(start + index);
    const wanted = DATE_AND_HOUR.charCodeAt(index);
    if (wanted === 0x30 ? !isDigit(code) : code !== wanted && code !== (wanted | SMALL)) return false;
  }
  return true;
}

function isZoneSign(code: number): boolean {
  return code === CODE.plus || code === CODE.minus;
}
