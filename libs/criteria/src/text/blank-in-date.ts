import { isDigit } from './characters.js';
import { isDate, isDateTime } from './clock-colon.js';
import { CODE } from './codes.js';

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
