import type { Preference } from '../domain/preference.js';
import type { Supply } from '../domain/shelf.js';
import type { Query } from '../persistence/database.js';

/** Which rows of `supply` can be retired from, used up or not. */
export const RETIRABLE = 'active AND price_micros IS NOT NULL AND published_issued IS NOT NULL';
/** Those that have something left; the partial index `supply_available` has the same condition. */
const AVAILABLE = `${RETIRABLE} AND NOT exhausted`;

/** The columns of a {@link SupplyRow}. */
export const SUPPLY_COLUMNS = 'asset_id, issued - reserved - retired AS available, price_micros, rating';

/** Assets looked at first. */
export const FIRST_WIDTH = 16;
/** How many times more are looked at whenever those do not hold enough. */
const WIDER = 8;

/** A retirable asset as the driver gives it. */
export interface SupplyRow {
  readonly asset_id: string;
  readonly available: string;
  readonly price_micros: string;
  readonly rating: number | null;
}

/** The supply that such a row holds. */
export function toSupply({ asset_id, available, price_micros, rating }: SupplyRow): Supply {
  return {
    asset: asset_id,
    available: BigInt(available),
    priceMicros: BigInt(price_micros),
    rating: rating ?? undefined,
  };
}

/** The `width` preferred assets that have something left, as they are at the moment; nothing is locked. */
export async function preferredSupply(query: Query, { orderBy }: Preference, width: number): Promise<Supply[]> {
  const rows = await query<SupplyRow>(
    `SELECT ${SUPPLY_COLUMNS} FROM supply WHERE ${AVAILABLE} ORDER BY ${orderBy} LIMIT $1`,
    [width],
  );
  return rows.map(toSupply);
}

/** Whether another asset than these has something left, now. */
export async function hasOtherSupply(query: Query, assets: readonly string[]): Promise<boolean> {
  const [row] = await query<{ other: boolean }>(
    `SELECT EXISTS (SELECT FROM supply WHERE ${AVAILABLE} AND asset_id <> ALL ($1)) AS other`,
    [assets],
  );
  return row?.other === true;
}

/** One asset as it is at the moment; undefined when it cannot be retired from. */
export async function supplyOf(query: Query, asset: string): Promise<Supply | undefined> {
  const [row] = await query<SupplyRow>(`SELECT ${SUPPLY_COLUMNS} FROM supply WHERE asset_id = $1 AND ${RETIRABLE}`, [
    asset,
  ]);
  return row && toSupply(row);
}

/** Tries with ever more of the preferred assets, until they are no longer too few. */
export async function widening<T>(attempt: (width: number) => Promise<T | 'too narrow'>): Promise<T> {
  for (let width = FIRST_WIDTH; ; width *= WIDER) {
    const outcome = await attempt(width);
    if (outcome !== 'too narrow') return outcome;
  }
}
