/**
 * The first whole millisecond that is not before an instant, as PostgreSQL reads it. Offsets have whole milliseconds, so
 * nothing lies in between; and four-digit years, so nothing lies beyond those.
 */
export function firstMillisecondFrom(text: string): string {
  const wholeMs = Date.parse(text.toUpperCase());
  const rest = /\.\d{3}(\d+)/.exec(text)?.[1] ?? '';
  const ms = wholeMs + (/[1-9]/.test(rest) ? 1 : 0);
  if (ms > LAST) return 'infinity';
  return ms < FIRST ? '-infinity' : new Date(ms).toISOString();
}

const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
