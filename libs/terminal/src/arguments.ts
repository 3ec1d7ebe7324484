import { InvalidArgumentError } from 'commander';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 8_640_000_000_000_000;
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Parses a duration such as `90d`, `24h`, `30m` or `45s`. @returns milliseconds, or NaN */
export function durationOf(text: string): number {
  const [, count, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  return Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

/**
 * Parses an RFC 3339 time, or a date, which means midnight UTC. `Date.parse` would read a time without an offset in the local zone.
 * @returns Unix ms, or NaN
 */
export function timeOf(text: string): number {
  const midnight = Date.parse(`${text.slice(0, 10)}T00:00Z`);
  // `Date.parse` would turn November 31 into December 1.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text.slice(0, 10));
  return TIME.test(text) && isDay ? Date.parse(text) : Number.NaN;
}

/** An option's value that is a time, or how long ago it was: `2026-11-21T08:00:00Z`, `90m`, `2d`. */
export function readMoment(text: string, now = Date.now()): Date {
  const ago = durationOf(text);
  const ms = Number.isNaN(ago) ? timeOf(text) : now - ago;
  if (Number.isNaN(ms) || ms > MAX_MS) {
    throw new InvalidArgumentError('must be a time (2026-11-21T08:00:00Z) or how long ago (90m, 12h, 2d).');
  }
  return new Date(Math.max(ms, 0));
}

/** The message for an address that leads to another machine. */
export const NOT_LOOPBACK = 'must be an address on this machine, such as http://127.0.0.1:3000';

/** Whether an address leads to this machine alone. */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
}

/** An option's value that is the address of a server on this machine, without a path. */
export function readLoopback(text: string): string {
  const url = isLoopback(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError(`${NOT_LOOPBACK}, and nothing after it.`);
}

/** An option's value that is an integer from 1 to a limit. */
export function countUpTo(limit: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= limit) return count;
    throw new InvalidArgumentError(`must be an integer from 1 to ${limit}.`);
  };
}
