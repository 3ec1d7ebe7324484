const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LATEST_MS = 8_640_000_000_000_000;

/** How moments are written on a command line. */
export const MOMENT_FORMS = 'a time (2026-11-21T08:00:00Z) or how long ago (90m, 12h, 2d)';

/** The moment that a text names, by {@link MOMENT_FORMS}; undefined when it names none. */
export function momentOf(text: string, now = Date.now()): Date | undefined {
  const [, count, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const ms = count === undefined ? timeOf(text) : now - Number(count) * (UNITS[unit] ?? 0);
  return Number.isNaN(ms) || ms > LATEST_MS ? undefined : new Date(Math.max(ms, 0));
}

/** Only whole times with a zone: what `Date.parse` makes of others depends on where it is asked. */
function timeOf(text: string): number {
  return /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
