import { z } from 'zod';

const ERROR = 'must be a time such as 2026-01-31T00:00:00Z (RFC 3339)';
const PLUS_HINT = 'a + inside a value must be sent as %2B';

/** "T" and "Z" may be small (RFC 3339, section 5.6). */
const known = z.iso.datetime({ offset: true });

/** A point in time of a query, in RFC 3339, as it was sent. */
export const instant: z.ZodType<string, string> = z.string().superRefine((text, context) => {
  if (known.safeParse(text.toUpperCase()).success) return;
  const unescaped = known.safeParse(text.toUpperCase().replace(' ', '+')).success;
  context.addIssue({ code: 'custom', message: ERROR, ...(unescaped && { params: { hint: PLUS_HINT } }) });
});

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
