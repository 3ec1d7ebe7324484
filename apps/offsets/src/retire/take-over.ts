import { randomUUID } from 'node:crypto';
import type { Claim, RetirementOrder } from '../domain/claim.js';
import type { Query } from '../persistence/database.js';
import { LEASE_SECONDS } from '../persistence/lease.js';

/** Offsets taken over at once. */
const BATCH = 500;

interface LineRow {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
}

/** Claims offsets in `processing` whose lease has run out, with what is reserved for them. */
export async function takeOver(query: Query): Promise<Claim> {
  const token = randomUUID();
  const taken = await query<{ id: string }>(
    `UPDATE offsets SET lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s'
     WHERE id = ANY (ARRAY(
       SELECT id FROM offsets WHERE status = 'processing' AND lease_until < now()
       ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
     )) RETURNING id`,
    [token],
  );
  const lines = await query<LineRow>(
    'SELECT * FROM reservations WHERE offset_id = ANY ($1) ORDER BY offset_id, asset_id',
    [taken.map(({ id }) => id)],
  );
  return { token, orders: ordersOf(lines) };
}

function ordersOf(rows: readonly LineRow[]): RetirementOrder[] {
  const byOffset = Map.groupBy(rows, ({ offset_id }) => offset_id);
  return [...byOffset].map(([offset, lines]) => ({
    offset,
    lines: lines.map(({ asset_id, grams, price_micros }) => ({
      asset: asset_id,
      grams: BigInt(grams),
      priceMicros: BigInt(price_micros),
    })),
  }));
}
