import type { Query } from '../persistence/database.js';
import type { NewOffset } from './new-offset.js';

/** A row that was written. */
export interface Inserted {
  readonly offset: NewOffset;
  /** When it was accepted, RFC 3339. */
  readonly createdAt: string;
  /** When its row was written, RFC 3339. */
  readonly at: string;
}

/**
 * One statement for all of them, in the order of their ids so that two writers cannot block each other. An id that has a
 * row already keeps it as it is. Gives those that are new. No clock but Kafka's and the database's dates a row, and no row
 * is created later than it is written.
 */
export async function insertOffsets(query: Query, offsets: readonly NewOffset[]): Promise<Inserted[]> {
  const rows = await query<{ id: string; created_at: Date; updated_at: Date }>(
    `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent,
       failure_code, failure_detail, created_at, updated_at, failed_at)
     SELECT id, account, CASE WHEN failure_code IS NULL THEN 'queued' ELSE 'failed' END, kg_co2e, grams, fingerprint,
       estimate_id, customer_ref, traceparent, failure_code, failure_detail, least(appended_at, now()), now(),
       CASE WHEN failure_code IS NOT NULL THEN now() END
     FROM unnest($1::text[], $2::text[], $3::double precision[], $4::bigint[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::text[], $11::timestamptz[])
       AS requested (id, account, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent,
         failure_code, failure_detail, appended_at)
     ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING id, created_at, updated_at`,
    [
      offsets.map(({ id }) => id),
      offsets.map(({ account }) => account),
      offsets.map(({ kgCO2e }) => kgCO2e),
      offsets.map(({ grams }) => grams),
      offsets.map(({ fingerprint }) => fingerprint),
      offsets.map(({ estimateId }) => estimateId),
      offsets.map(({ customerRef }) => customerRef),
      offsets.map(({ traceparent }) => traceparent),
      offsets.map(({ failure }) => failure?.code),
      offsets.map(({ failure }) => failure?.detail),
      offsets.map(({ appendedAt }) => appendedAt.toISOString()),
    ],
  );
  const written = new Map(rows.map((row) => [row.id, row]));
  return offsets.flatMap((offset) => {
    const row = written.get(offset.id);
    if (row === undefined) return [];
    return { offset, createdAt: row.created_at.toISOString(), at: row.updated_at.toISOString() };
  });
}
