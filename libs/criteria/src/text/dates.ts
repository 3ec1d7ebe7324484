import { CODE, isDigit, SMALL } from './characters.js';

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

/**
 * What to write instead of a date with a blank in it: a blank between day and time stands for `T`, and one between
 * time and zone was a `+` that a URL's reader turned into a blank.
 */
export function blankInDate(text: string): string | undefined {
  const blank = text.indexOf(' ');
  const [before, after] = [text.slice(0, blank), text.slice(blank + 1)];
  if (blank < 0 || !startsAsClock(after)) return undefined;
  if (isDate(before)) return `write ${before}T${after}`;
  if (!isDateTime(before)) return undefined;
  return `in a URL "+" means a blank; write ${before}%2B${after} there`;
}

function startsAsClock(text: string): boolean {
  return (
    isDigit(text.charCodeAt(0)) &&
    isDigit(text.charCodeAt(1)) &&
    text.charCodeAt(2) === CODE.colon &&
    isDigit(text.charCodeAt(3)) &&
    isDigit(text.charCodeAt(4))
  );
}
