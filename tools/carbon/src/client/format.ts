import { type Paint, padTo, printable } from '@carbon/terminal';

/** A name with its value; a value that is not known has no line. */
export type Fact = readonly [name: string, value: string | number | undefined];

const AGE_UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Returns facts as lines, with their values aligned. */
export function factLines(facts: readonly Fact[], { paint }: { readonly paint: Paint }): readonly string[] {
  const known = facts.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${paint('dim', padTo(name, width))}  ${printable(String(value))}`);
}

/** Formats a time as `2026-11-21 08:00:00 UTC`. */
export function timeText(time: string | undefined): string | undefined {
  return time?.replace(/^(\S{10})T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2 UTC');
}

/** Formats an age in the largest unit of which there is one: `3 min`, `12 d`. @param now Unix milliseconds */
export function ageText(time: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1_000));
  const [unit, length] = AGE_UNITS.find(([, least]) => seconds >= least) ?? ['s', 1];
  return Number.isNaN(seconds) ? '' : `${Math.floor(seconds / length)} ${unit}`;
}

/** Formats an amount of money. */
export function moneyText(amount: number | undefined, currency = 'USD'): string | undefined {
  return amount === undefined ? undefined : `${amount} ${currency}`;
}

/** Formats the value of a field on one line. */
export function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Returns a word quoted for a shell, when it needs quotes. */
export function shellQuote(word: string): string {
  return /^[\w.:@%+=/-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", "'\\''")}'`;
}
