import type { Query } from '../persistence/database.js';

/**
 * Releases what is reserved for these offsets. `issued` follows what is held of an asset where the library has come to issue
 * less than that.
 */
export async function releaseReservations(query: Query, offsets: readonly string[]): Promise<void> {
  const back = await query<{ asset_id: string; grams: string }>(
    'DELETE FROM reservations WHERE offset_id = ANY ($1) RETURNING asset_id, grams',
    [offsets],
  );
  const sums = new Map<string, bigint>();
  for (const { asset_id, grams } of back) sums.set(asset_id, (sums.get(asset_id) ?? 0n) + BigInt(grams));
  await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [[...sums.keys()]]);
  await query(
    `UPDATE supply SET reserved = reserved - back.grams,
       issued = greatest(published_issued, reserved - back.grams + retired)
     FROM unnest($1::text[], $2::bigint[]) AS back (asset_id, grams) WHERE supply.asset_id = back.asset_id`,
    [[...sums.keys()], [...sums.values()]],
  );
}
