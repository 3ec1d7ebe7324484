import { echo } from '../../errors/echo.js';
import { blankInDate } from '../../text/dates.js';
import { periodOf } from './date-literal.js';

const FORMS = 'write 2022, 2022-02, 2022-02-28 or 2022-02-28T10:30:00Z';
const RELATIVE = /^[+-]?(now|today|yesterday|tomorrow|\d+[smhdwy]$)/i;

/** Forms that machines and people write, with what makes a literal of them. */
const REPAIRS: readonly (readonly [RegExp, (...groups: string[]) => string, string])[] = [
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
  [/^(\d{4})[/.](\d\d)[/.](\d\d)$/, (year, month, day) => `${year}-${month}-${day}`, 'a date has hyphens'],
  [/^(\d{4})(\d\d)(\d\d)$/, (year, month, day) => `${year}-${month}-${day}`, 'a date has hyphens'],
  [/^(\d{4}-\d\d-\d\dT\d\d)(Z?)$/i, (hour, zone) => `${hour}:00${zone}`, 'a time has minutes'],
];

/** What to write instead of a text that is no date. */
export function dateHint(text: string): string {
  if (RELATIVE.test(text)) return 'there are no relative dates: write the day itself, such as 2022-02-28';
  return blankInDate(text) ?? repaired(text) ?? FORMS;
}

function repaired(text: string): string | undefined {
  for (const [form, repair, reason] of REPAIRS) {
    const [whole, ...groups] = form.exec(text) ?? [];
    if (whole === undefined) continue;
    const literal = repair(...groups);
    if (typeof periodOf(literal) !== 'string') return `write ${echo(literal)} (${reason})`;
  }
  return undefined;
}
