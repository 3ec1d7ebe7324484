import { gramsByAsset, type OffsetLine } from '../domain/line.js';
import type { Query } from '../persistence/database.js';
import { insertAndLockSupply } from './supply-rows.js';

interface ReservationRow {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
}

/** Inserts reservations. The caller must update the sums in `supply`. */
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

/** Reads the reservations of offsets. */
export async function readReservations(query: Query, offsets: readonly string[]): Promise<OffsetLine[]> {
  const rows = await query<ReservationRow>(
    'SELECT * FROM reservations WHERE offset_id = ANY ($1) ORDER BY offset_id, asset_id',
    [offsets],
  );
  return rows.map(toLine);
}

/** Deletes the reservations of offsets that are about to be retired, and locks their assets in `supply`. */
export async function takeReservations(query: Query, offsets: readonly string[]): Promise<OffsetLine[]> {
  const lines = await deleteReservations(query, offsets);
  await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [
    [...new Set(lines.map(({ asset }) => asset))],
  ]);
  return lines;
}

/** Deletes the reservations of offsets and makes their credits available again. */
export async function releaseReservations(query: Query, offsets: readonly string[]): Promise<void> {
  if (offsets.length === 0) return;
  const lines = await takeReservations(query, offsets);
  await changeReserved(query, lines.map(negative));
}

/**
 * Replaces the reservations of these lines' offsets with the lines, because a restore undid the first allocation and a
 * retirement in the registry is final. Inserts unknown assets as inactive, and raises the issued supply of an asset
 * if the registry has retired more than was issued.
 * @param offsets all that the transaction completes: the assets of all are locked at once, because a second round of locks could
 * deadlock
 */
export async function replaceReservations(
  query: Query,
  lines: readonly OffsetLine[],
  offsets: readonly string[],
): Promise<void> {
  if (lines.length === 0) return;
  const released = await deleteReservations(query, [...new Set(lines.map(({ offset }) => offset))]);
  const changes = [...released.map(negative), ...lines];
  const others = await readReservations(query, offsets);
  await insertAndLockSupply(query, [...new Set([...changes, ...others].map(({ asset }) => asset))]);
  await changeReserved(query, changes);
  await insertReservations(query, lines);
}

async function deleteReservations(query: Query, offsets: readonly string[]): Promise<OffsetLine[]> {
  const rows = await query<ReservationRow>('DELETE FROM reservations WHERE offset_id = ANY ($1) RETURNING *', [
    offsets,
  ]);
  return rows.map(toLine);
}

/** Raises `issued` to the reserved and retired grams if the library now publishes a smaller issued supply. */
async function changeReserved(query: Query, changes: readonly OffsetLine[]): Promise<void> {
  const sums = gramsByAsset(changes);
  await query(
    `UPDATE supply SET reserved = reserved + change.grams,
       issued = greatest(published_issued, reserved + change.grams + retired)
     FROM unnest($1::text[], $2::bigint[]) AS change (asset_id, grams) WHERE supply.asset_id = change.asset_id`,
    [[...sums.keys()], [...sums.values()]],
  );
}

function toLine({ offset_id, asset_id, grams, price_micros }: ReservationRow): OffsetLine {
  return { offset: offset_id, asset: asset_id, grams: BigInt(grams), priceMicros: BigInt(price_micros) };
}

function negative(line: OffsetLine): OffsetLine {
  return { ...line, grams: -line.grams };
}
