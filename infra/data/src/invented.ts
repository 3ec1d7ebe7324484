import { createHash } from 'node:crypto';

/**
 * Ratings, prices and supplies that no source gives. They are invented by rule, so that the library can be used, and
 * say nothing about the real project or pool. `README.md` states the rules in words; a change here is a change there.
 */

/** US dollars per credit, lowest and highest, by kind; the first kind an asset's categories name decides. */
const PRICES: readonly (readonly [kind: string, lowest: number, highest: number])[] = [
  ['biochar', 95, 180],
  ['blue carbon', 18, 32],
  ['forestry', 7, 16],
  ['redd+', 4, 9],
  ['nature-based', 3, 8],
  ['agriculture', 9, 22],
  ['energy efficiency', 4, 9],
  ['industrial processing', 3, 8],
  ['renewable energy', 2, 6],
];
const ANY_KIND = [2, 8] as const;

/** Credits issued for one year's vintage of a project, lowest and highest. */
const CREDITS_A_VINTAGE = [40_000, 160_000] as const;
const CREDITS_OF_A_POOL = [8_000_000, 24_000_000] as const;

/** The last year for which credits count as issued; later vintages in the sources are planned. */
export const LAST_ISSUED_VINTAGE = 2025;

/** A rating of 1 to 5 with one decimal. */
export function inventedRating(id: string): number {
  return Math.round(between(id, 'rating', 10, 50)) / 10;
}

/** US dollars per credit, whole cents, in the range of the asset's kind. */
export function inventedPrice(id: string, categories: readonly string[]): number {
  const kinds = categories.map((category) => category.toLowerCase());
  const [, lowest, highest] = PRICES.find(([kind]) => kinds.includes(kind)) ?? ['any', ...ANY_KIND];
  return Math.round(between(id, 'price', lowest * 100, highest * 100)) / 100;
}

/** Credits issued to a project: so many for each vintage that is past. */
export function inventedProjectSupply(id: string, vintages: readonly number[]): number {
  const past = vintages.filter((year) => year <= LAST_ISSUED_VINTAGE).length;
  return past * Math.round(between(id, 'issued', ...CREDITS_A_VINTAGE));
}

/** Credits in a pool, whole thousands. */
export function inventedPoolSupply(id: string): number {
  return Math.round(between(id, 'issued', ...CREDITS_OF_A_POOL) / 1000) * 1000;
}

/** A number in the range that hangs on nothing but the asset's id and what the number is for. */
function between(id: string, purpose: string, lowest: number, highest: number): number {
  const hash = createHash('sha256').update(`${id} ${purpose}`).digest().readUInt32BE();
  return lowest + (hash / 2 ** 32) * (highest - lowest);
}
