import type { Served } from '../domain/allocation.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import { moveTo } from '../persistence/move-to.js';
import { insertReservations } from './insert-reservations.js';
import { LEASE_SECONDS } from './lease.js';

/** Reserves the lines of these locked offsets at their prices and moves them to `processing`, held under `token`. */
export async function holdCredits(query: Query, token: string, served: readonly Served[]): Promise<StatusChange[]> {
  if (served.length === 0) return [];
  const lines = served.flatMap(({ offset, lines }) => lines.map((line) => ({ offset, ...line })));
  await insertReservations(query, lines);
  await raiseReserved(query, served);
  return startProcessing(query, token, served);
}

/** The constraint `supply_not_oversold` would refuse what is not there. */
async function raiseReserved(query: Query, served: readonly Served[]): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { lines } of served) {
    for (const { asset, grams } of lines) sums.set(asset, (sums.get(asset) ?? 0n) + grams);
  }
  await query(
    `UPDATE supply SET reserved = reserved + taken.grams
     FROM unnest($1::text[], $2::bigint[]) AS taken (asset_id, grams) WHERE supply.asset_id = taken.asset_id`,
    [[...sums.keys()], [...sums.values()]],
  );
}

async function startProcessing(query: Query, token: string, served: readonly Served[]): Promise<StatusChange[]> {
  const rows = await query<{ seconds: number }>(
    `UPDATE offsets SET ${moveTo('queued', 'processing')}, cost_micros = decided.cost,
       lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s'
     FROM unnest($2::text[], $3::numeric[]) AS decided (id, cost)
     WHERE offsets.id = decided.id AND ${fenceHolds(4)}
     RETURNING extract(epoch FROM updated_at - created_at)::double precision AS seconds`,
    [token, served.map(({ offset }) => offset), served.map(({ costMicros }) => costMicros), ...query.fence.parameters],
  );
  if (rows.length === 0) throw query.fence.lose();
  return rows.map(({ seconds }) => ({ from: 'queued', to: 'processing', seconds }));
}
