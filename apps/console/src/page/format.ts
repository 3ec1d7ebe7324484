const LOCALE = 'en';
const dollars = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
const numbers = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 });
/** Day before month, and 24 hours, as most readers write them. */
const times = new Intl.DateTimeFormat('en-GB', {
  ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
  ...({ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const),
});

/** Shown in place of an absent value. */
export const NONE = '–';

/** A price or a cost in US dollars. */
export function dollarText(value: number | undefined): string {
  return value === undefined ? NONE : dollars.format(value);
}

/** A number with its thousands separated. */
export function numberText(value: number | undefined, unit = ''): string {
  return value === undefined ? NONE : `${numbers.format(value)}${unit && ` ${unit}`}`;
}

/** A weight in tonnes, or in kilograms below one tonne. */
export function weightText(kg: number): string {
  return kg < 1_000 ? numberText(kg, 'kg') : numberText(kg / 1_000, 't');
}

/** A number of assets, as `1 project` or `2 pools`. */
export function countText(count: number, kind: 'pools' | 'projects'): string {
  return numberText(count, count === 1 ? kind.slice(0, -1) : kind);
}

/** A time of the API in the reader's time zone, with the name of the zone. */
export function timeText(value: string | undefined): string {
  return value === undefined ? NONE : times.format(new Date(value));
}

/** Years in short form: consecutive years become `2015–2018`. */
export function yearsText(years: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const year of years.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && year <= last[1] + 1) last[1] = year;
    else runs.push([year, year]);
  }
  return runs.length === 0 ? NONE : runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

/** A remaining time in its two largest units. */
export function remainingTimeText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  const parts = [
    [Math.floor(s / 3_600), 'h'],
    [Math.floor(s / 60) % 60, 'min'],
    [s % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return first === -1
    ? '0 s'
    : parts
        .slice(first, first + 2)
        .map(([count, unit]) => `${count} ${unit}`)
        .join(' ');
}
