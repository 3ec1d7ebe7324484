import type { Query } from '../persistence/database.js';
import type { NewOffset } from '../receive/new-offset.js';

/** An offset that is completed as it is recorded. */
export interface NewlyCompleted extends NewOffset {
  readonly costMicros: bigint;
}

/** Since it was asked at least one of them got a row, from another delivery: nothing may be written by the transaction. */
export class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded';
}

/** Whether at least one of them has a row that everybody sees. */
export async function anyRecorded(query: Query, offsets: readonly NewOffset[]): Promise<boolean> {
  const rows = await query('SELECT FROM offsets WHERE id = ANY ($1) LIMIT 1', [offsets.map(({ id }) => id)]);
  return rows.length > 0;
}

/**
 * One statement for all of them, in the order of their ids as `insertOffsets` has it: each row as if it had been queued and
 * then moved along, both moves dated by the transaction. @throws AlreadyRecorded
 */
export async function insertCompleted(query: Query, offsets: readonly NewlyCompleted[]): Promise<void> {
  const [{ count } = { count: 0 }] = await query<{ count: number }>(
    `WITH added AS (
       INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, customer_ref, traceparent, cost_micros,
         created_at, updated_at, processing_at, completed_at)
       SELECT id, account, 'completed', kg_co2e, grams, fingerprint, customer_ref, traceparent, cost_micros,
         least(appended_at, now()), now(), now(), now()
       FROM unnest($1::text[], $2::text[], $3::double precision[], $4::bigint[], $5::text[], $6::text[], $7::text[],
         $8::numeric[], $9::timestamptz[])
         AS completed (id, account, kg_co2e, grams, fingerprint, customer_ref, traceparent, cost_micros, appended_at)
       ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING id
     ) SELECT count(*)::integer AS count FROM added`,
    [
      offsets.map(({ id }) => id),
      offsets.map(({ account }) => account),
      offsets.map(({ kgCO2e }) => kgCO2e),
      offsets.map(({ grams }) => grams),
      offsets.map(({ fingerprint }) => fingerprint),
      offsets.map(({ customerRef }) => customerRef),
      offsets.map(({ traceparent }) => traceparent),
      offsets.map(({ costMicros }) => costMicros),
      offsets.map(({ appendedAt }) => appendedAt.toISOString()),
    ],
  );
  if (count < offsets.length) throw new AlreadyRecorded();
}
