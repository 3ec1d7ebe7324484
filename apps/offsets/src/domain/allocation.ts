import { costMicros } from '@carbon/contracts';
import { ESTIMATE_NOT_FOUND, type Failure, INSUFFICIENT_SUPPLY } from './failure.js';

/** What an offset asks for. */
export interface Demand {
  readonly offset: string;
  readonly grams: bigint;
  readonly estimateId?: string | undefined;
}

/** A retirable asset: grams that are neither reserved nor retired, at a price in micro-dollars per credit. */
export interface Supply {
  readonly asset: string;
  readonly available: bigint;
  readonly priceMicros: bigint;
  readonly rating?: number | undefined;
}

/** Grams of one asset for one offset, at a price that is now fixed. */
export interface Line {
  readonly asset: string;
  readonly grams: bigint;
  readonly priceMicros: bigint;
  readonly costMicros: bigint;
}

/** All of the offset's grams, or none and the reason. */
export type Decision =
  | { readonly offset: string; readonly lines: readonly Line[]; readonly costMicros: bigint }
  | { readonly offset: string; readonly failure: Failure };

/** The order in which credits are taken: cheapest first, then highest rating (absent last), then id. */
export function byPreference(a: Supply, b: Supply): number {
  if (a.priceMicros !== b.priceMicros) return a.priceMicros < b.priceMicros ? -1 : 1;
  const [left = -Infinity, right = -Infinity] = [a.rating, b.rating];
  if (left !== right) return right > left ? 1 : -1;
  return a.asset < b.asset ? -1 : 1;
}

/**
 * Decides, demand by demand in the order given, which assets give how many grams. Each is served in full or fails, and
 * one that fails takes nothing, so a smaller one behind it can still be served. Never gives more than is available.
 */
export function allocate(demands: readonly Demand[], supplies: readonly Supply[]): Decision[] {
  const shelf = supplies
    .filter(({ available }) => available > 0n)
    .map((supply) => ({ ...supply }))
    .sort(byPreference);
  let left = shelf.reduce((sum, { available }) => sum + available, 0n);
  return demands.map(({ offset, grams, estimateId }) => {
    if (estimateId !== undefined) return { offset, failure: ESTIMATE_NOT_FOUND };
    if (grams > left) return { offset, failure: INSUFFICIENT_SUPPLY };
    left -= grams;
    const lines = take(shelf, grams);
    return { offset, lines, costMicros: lines.reduce((sum, line) => sum + line.costMicros, 0n) };
  });
}

/** Takes `grams` from the front of the shelf, where enough is known to be; emptied assets leave it. */
function take(shelf: { asset: string; available: bigint; priceMicros: bigint }[], grams: bigint): Line[] {
  const lines: Line[] = [];
  let missing = grams;
  for (let first = shelf[0]; missing > 0n && first; first = shelf[0]) {
    const part = smaller(first.available, missing);
    const { asset, priceMicros } = first;
    lines.push({ asset, grams: part, priceMicros, costMicros: costMicros(part, priceMicros) });
    first.available -= part;
    missing -= part;
    if (first.available === 0n) shelf.shift();
  }
  return lines;
}

function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
