import { z } from 'zod';

const ERROR = 'must be a time such as 2026-01-31T00:00:00Z (RFC 3339)';
const PLUS_HINT = 'Encode a + inside a value as %2B.';

/** "T" and "Z" may be small (RFC 3339, section 5.6). */
const known = z.iso.datetime({ offset: true });

/** A point in time of a query, in RFC 3339, as it was sent. */
export const instant: z.ZodType<string, string> = z
  .string()
  .superRefine((text, context) => {
    if (known.safeParse(text.toUpperCase()).success) return;
    const unescaped = known.safeParse(text.toUpperCase().replace(' ', '+')).success;
    context.addIssue({ code: 'custom', message: ERROR, ...(unescaped && { params: { hint: PLUS_HINT } }) });
  })
  .meta({ format: 'date-time' });
