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
 * by the database's clock. Gives how many were held. They are locked first, in the order of their ids, as by everyone: the
 * join would lock them in the order in which they came.
 */
export async function layAside(query: Query, offsets: readonly LaidAside[]): Promise<number> {
  const ids = offsets.map(({ offset }) => offset);
  const tokens = tokensOf(offsets);
  await query('SELECT FROM offsets WHERE id = ANY ($1) AND lease_token = ANY ($2) ORDER BY id FOR UPDATE', [
    ids,
    tokens,
  ]);
  const rows = await query(
    `UPDATE offsets SET lease_token = gen_random_uuid(), lease_until = now() + aside.wait * interval '1 ms'
     FROM unnest($1::text[], $2::integer[]) AS aside (id, wait)
     WHERE offsets.id = aside.id AND lease_token = ANY ($3) RETURNING offsets.id`,
    [ids, offsets.map(({ waitMs }) => waitMs), tokens],
  );
  return rows.length;
}
