import { isDigit } from '../characters.js';
import { CODE, SMALL } from '../codes.js';

/** The shape up to the first colon of a date with a time; `0` stands for any digit. */
const DATE_AND_HOUR = '0000-00-00T00';
const MINUTE = DATE_AND_HOUR.length;
const SECOND = MINUTE + 3;
const ZONE_HOUR = 3;

/**
 * Whether the colon at `at` belongs to a date-time that began at `start`, as in `2022-02-28T10:30:00+02:00`: before
 * the minute, before the second, or within the zone. Everywhere else a colon is an operator.
 */
export function isClockColon(text: string, start: number, at: number): boolean {
  const length = at - start;
  if (length < MINUTE || !isDigit(text.charCodeAt(at + 1)) || !startsAsDateTime(text, start)) return false;
  return length === MINUTE || length === SECOND || isZoneSign(text.charCodeAt(at - ZONE_HOUR));
}

function startsAsDateTime(text: string, start: number): boolean {
  for (let index = 0; index < MINUTE; index++) {
    const code = text.charCodeAt(start + index);
    const wanted = DATE_AND_HOUR.charCodeAt(index);
    if (wanted === 0x30 ? !isDigit(code) : code !== wanted && code !== (wanted | SMALL)) return false;
  }
  return true;
}

function isZoneSign(code: number): boolean {
  return code === CODE.plus || code === CODE.minus;
}
