import { costMicros } from '@carbon/contracts';
import type { PricedLine } from '../domain/line.js';
import type { Query } from '../persistence/database.js';
import { lockEvenUnknownAssets } from '../persistence/unknown-assets.js';
import { insertReservations, type OffsetLine } from './insert-reservations.js';
import { tokensOf } from './tokens.js';

/** An offset that the registry has retired with other lines than are reserved for it, under whose lease. */
export interface AdoptedOffset {
  readonly offset: string;
  readonly token: string;
  readonly lines: readonly PricedLine[];
}

/**
 * Replaces the reservations of these offsets by the lines that the registry has retired, and their cost with them: a restore
 * undid the first allocation, and the registry's is final. An asset that the database does not know is inserted inactive; the
 * issued supply is raised where the registry has retired more than there is. Offsets no longer held are left out.
 */
export async function adoptLines(query: Query, adopted: readonly AdoptedOffset[]): Promise<void> {
  if (adopted.length === 0) return;
  const held = await query<{ id: string }>(
    'SELECT id FROM offsets WHERE id = ANY ($1) AND lease_token = ANY ($2) ORDER BY id FOR UPDATE',
    [adopted.map(({ offset }) => offset), tokensOf(adopted)],
  );
  const ids = new Set(held.map(({ id }) => id));
  const lines = adopted.flatMap(({ offset, lines: own }) =>
    ids.has(offset) ? own.map((line) => ({ ...line, offset })) : [],
  );
  const released = await query<{ asset_id: string; grams: string }>(
    'DELETE FROM reservations WHERE offset_id = ANY ($1) RETURNING asset_id, grams',
    [[...ids]],
  );
  const changes = new Map<string, bigint>();
  const change = (asset: string, grams: bigint) => changes.set(asset, (changes.get(asset) ?? 0n) + grams);
  for (const { asset_id, grams } of released) change(asset_id, -BigInt(grams));
  for (const { asset, grams } of lines) change(asset, grams);
  await reserveAgain(query, changes);
  await insertReservations(query, lines);
  await setCosts(query, lines);
}

async function reserveAgain(query: Query, changes: ReadonlyMap<string, bigint>): Promise<void> {
  const assets = [...changes.keys()];
  await lockEvenUnknownAssets(query, assets);
  await query(
    `UPDATE supply SET reserved = reserved + change.grams,
       issued = greatest(published_issued, reserved + change.grams + retired)
     FROM unnest($1::text[], $2::bigint[]) AS change (asset_id, grams) WHERE supply.asset_id = change.asset_id`,
    [assets, [...changes.values()]],
  );
}

async function setCosts(query: Query, lines: readonly OffsetLine[]): Promise<void> {
  const costs = new Map<string, bigint>();
  for (const { offset, grams, priceMicros } of lines)
    costs.set(offset, (costs.get(offset) ?? 0n) + costMicros(grams, priceMicros));
  await query(
    `UPDATE offsets SET cost_micros = adopted.cost
     FROM unnest($1::text[], $2::numeric[]) AS adopted (id, cost) WHERE offsets.id = adopted.id`,
    [[...costs.keys()], [...costs.values()]],
  );
}
