import { z } from 'zod';

const LONG_FRACTION = /\.\d{10}/;
const OFFSET = /[+-](\d\d):(\d\d)$/;
const FARTHEST_MINUTES = 18 * 60;
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A point in time as RFC 3339 has it, of which every view of the library can make something: what OpenSearch's dates
 * refuse (more than nanoseconds, more than 18 hours from UTC, years of other than four digits) is refused here, so that
 * whoever publishes it is told.
 */
export const assetTime = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => !LONG_FRACTION.test(text), 'must have at most nine digits after the second')
  .refine((text) => minutesFromUtc(text) <= FARTHEST_MINUTES, 'must be at most 18 hours from UTC')
  .refine(isOfFourDigits, 'must be of the years 0001 to 9999, in UTC');

function minutesFromUtc(text: string): number {
  const [, hours = '0', minutes = '0'] = OFFSET.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

function isOfFourDigits(text: string): boolean {
  const time = Date.parse(text);
  return !text.startsWith('0000') && time >= FIRST && time <= LAST;
}
