import type { PricedLine } from '../domain/line.js';
import type { Query } from '../persistence/database.js';

/** What one asset gives to one offset. */
export interface OffsetLine extends PricedLine {
  readonly offset: string;
}

/** Writes the lines down as reserved; the sums in `supply` are the caller's. */
export async function insertReservations(query: Query, lines: readonly OffsetLine[]): Promise<void> {
  await query(
    `INSERT INTO reservations (offset_id, asset_id, grams, price_micros)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])`,
    [
      lines.map(({ offset }) => offset),
      lines.map(({ asset }) => asset),
      lines.map(({ grams }) => grams),
      lines.map(({ priceMicros }) => priceMicros),
    ],
  );
}
