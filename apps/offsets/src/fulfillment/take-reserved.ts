import type { Query } from '../persistence/database.js';
import type { RetiredLine } from './write-ledger.js';

interface ReservedRow {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
}

/** Takes the reservations of these offsets away, to be retired, and locks the assets' rows in `supply`. */
export async function takeReserved(query: Query, offsets: readonly string[]): Promise<RetiredLine[]> {
  const rows = await query<ReservedRow>('DELETE FROM reservations WHERE offset_id = ANY ($1) RETURNING *', [offsets]);
  const assets = [...new Set(rows.map(({ asset_id }) => asset_id))];
  await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [assets]);
  return rows.map(({ offset_id: offset, asset_id: asset, grams, price_micros }) => ({
    offset,
    asset,
    grams: BigInt(grams),
    priceMicros: BigInt(price_micros),
  }));
}
