import type { Query } from '../persistence/database.js';
import { tokensOf } from './tokens.js';

/** An offset about which nothing is known yet, under whose lease, and how long to wait before it is asked about again. */
export interface LaidAside {
  readonly offset: string;
  readonly token: string;
  readonly waitMs: number;
}

/**
 * Gives held offsets back, each until it is due: held by nobody until then, and to be taken over by any process afterwards,
 * by the database's clock. Gives how many were held.
 */
export async function layAside(query: Query, offsets: readonly LaidAside[]): Promise<number> {
  const rows = await query(
    `UPDATE offsets SET lease_token = gen_random_uuid(), lease_until = now() + aside.wait * interval '1 ms'
     FROM unnest($1::text[], $2::integer[]) AS aside (id, wait)
     WHERE offsets.id = aside.id AND lease_token = ANY ($3) RETURNING offsets.id`,
    [offsets.map(({ offset }) => offset), offsets.map(({ waitMs }) => waitMs), tokensOf(offsets)],
  );
  return rows.length;
}
