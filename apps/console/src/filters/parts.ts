import type { Facet } from '@carbon/client';
import { numberText } from '../page/format.js';

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** One value or interval of a facet. */
export interface Part {
  readonly label: string;
  /** The label below a bar: the last digits of a year, or the lower bound. */
  readonly short: string;
  readonly count: number;
  /** The criteria that narrow a search to it. */
  readonly clause: string;
  /** Whether values lie between it and the part before it that no asset has. */
  readonly isApart: boolean;
}

/** The values or intervals of a facet, and the assets without the field. */
export function partsOf({ values = [], ranges = [], missing }: Facet): readonly Part[] {
  return [
    ...values.map(({ value, count, clause }, n): Part => {
      const before = values[n - 1]?.value;
      const isApart = typeof value === 'number' && typeof before === 'number' && value > before + 1;
      const label = labelOf(value);
      return { label, short: label.replace(/^\d\d(\d\d)$/, '’$1'), count, clause, isApart };
    }),
    ...ranges.map(
      ({ from, to, count, clause }, n): Part => ({
        label: rangeLabel(from, to),
        short: typeof from === 'number' ? compact.format(from) : rangeLabel(from, to),
        count,
        clause,
        isApart: n > 0 && ranges[n - 1]?.to !== from,
      }),
    ),
    ...(missing === undefined ? [] : [{ label: 'not given', short: 'none', ...missing, isApart: true }]),
  ];
}

function labelOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? { true: 'yes', false: 'no' }[`${value}`] : String(value);
}

/** Times are in intervals of a year. */
function rangeLabel(from: string | number | undefined, to: string | number | undefined): string {
  if (typeof from === 'string' || typeof to === 'string') return from === undefined ? `before ${year(to)}` : year(from);
  if (from === undefined) return `below ${numberText(to)}`;
  return to === undefined ? `from ${numberText(from)}` : `${numberText(from)}–${numberText(to)}`;
}

function year(time: string | number | undefined): string {
  return String(time).slice(0, 4);
}

/** The title of a field: `listedAt` is `Listed at`. */
export function titleOf(field: string): string {
  if (field === 'sdgs') return 'SDGs';
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
