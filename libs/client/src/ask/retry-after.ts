/**
 * The seconds that `Retry-After` asks for, as a number or as a date (RFC 9110); undefined when it is absent or says
 * nothing of the kind.
 */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // A date has the name of its day. `Date.parse` alone takes nearly anything for one: `-1` is a year.
  const time = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now) / 1_000));
}
