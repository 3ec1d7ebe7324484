import { padTo, printable } from '@carbon/terminal';
import type { Printer } from './printer.js';

/** A name with what is known by it; what is not known has no line. */
export type Fact = readonly [name: string, value: string | number | undefined];

const AGES = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Facts as lines, their values below each other. */
export function factLines(facts: readonly Fact[], { paint }: Pick<Printer, 'paint'>): readonly string[] {
  const known = facts.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${paint('dim', padTo(name, width))}  ${printable(String(value))}`);
}

/** A time as a person reads it: `2026-11-21 08:00:00 UTC`. */
export function timeText(time: string | undefined): string | undefined {
  return time?.replace(/^(\S{10})T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2 UTC');
}

/** How long ago a time was, in the largest unit of which there is one: `3 min`, `12 d`. */
export function ageText(time: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1_000));
  const [unit, length] = AGES.find(([, least]) => seconds >= least) ?? ['s', 1];
  return Number.isNaN(seconds) ? '' : `${Math.floor(seconds / length)} ${unit}`;
}

/** An amount of money. */
export function moneyText(amount: number | undefined, currency = 'USD'): string | undefined {
  return amount === undefined ? undefined : `${amount} ${currency}`;
}
