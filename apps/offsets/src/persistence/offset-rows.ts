import type { OffsetStatus } from '@carbon/contracts';
import type { OffsetRow } from '../domain/offset-row.js';
import { transitionsAlong } from '../domain/offset-status.js';
import type { Query } from './database.js';

/** When a row changes: by the database's clock alone. The same throughout a transaction. */
const NOW = 'now()';

/** For SELECT and RETURNING: the columns of a {@link StoredOffset}. They name the table, because updates join others. */
export const OFFSET_COLUMNS = `offsets.id, offsets.account, offsets.kg_co2e AS "kgCO2e", offsets.grams, offsets.fingerprint,
  offsets.estimate_id AS "estimateId", offsets.customer_ref AS "customerRef", offsets.traceparent,
  offsets.created_at AS "createdAt", offsets.processing_at AS "processingAt", offsets.cost_micros AS "costMicros"`;

/** An offset as the driver returns it: `bigint` and `numeric` as decimal text. */
export type StoredOffset = Omit<OffsetRow, 'grams' | 'costMicros' | 'failure'> & {
  readonly grams: string;
  readonly costMicros: string | null;
};

/** Maps a row of {@link OFFSET_COLUMNS} of an offset that has not failed. */
export function toOffsetRow(stored: StoredOffset): OffsetRow {
  const { grams, costMicros } = stored;
  return {
    ...stored,
    grams: BigInt(grams),
    costMicros: costMicros === null ? null : BigInt(costMicros),
    failure: null,
  };
}

/** Rows that a statement wrote, and when, by the database's clock. */
export interface WrittenRows {
  readonly rows: readonly OffsetRow[];
  readonly at: Date;
}

/**
 * Inserts rows in the order of their ids, so that two writers cannot block each other: as `failed` with a failure, as
 * `completed` with a cost, dated as if it had been queued first, else as `queued`. An id that has a row keeps it.
 * @returns the rows that are new, none of which is created later than it is written
 */
export async function insertOffsets(query: Query, rows: readonly OffsetRow[]): Promise<WrittenRows> {
  const [added] = await query<{ at: Date; ids: string[] | null }>(
    `WITH added AS (
       INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent,
         cost_micros, failure_code, failure_detail, created_at, updated_at, processing_at, completed_at, failed_at)
       SELECT id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent,
         cost_micros, failure_code, failure_detail, least(appended_at, now()), now(),
         CASE status WHEN 'completed' THEN now() END, CASE status WHEN 'completed' THEN now() END,
         CASE status WHEN 'failed' THEN now() END
       FROM unnest($1::text[], $2::text[], $3::text[], $4::double precision[], $5::bigint[], $6::text[], $7::text[],
         $8::text[], $9::text[], $10::numeric[], $11::text[], $12::text[], $13::timestamptz[])
         AS requested (id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent,
           cost_micros, failure_code, failure_detail, appended_at)
       ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING id
     )
     SELECT now()::timestamptz(3) AS at, array_agg(id) AS ids FROM added`,
    [
      rows.map(({ id }) => id),
      rows.map(({ account }) => account),
      rows.map(statusOf),
      rows.map(({ kgCO2e }) => kgCO2e),
      rows.map(({ grams }) => grams),
      rows.map(({ fingerprint }) => fingerprint),
      rows.map(({ estimateId }) => estimateId),
      rows.map(({ customerRef }) => customerRef),
      rows.map(({ traceparent }) => traceparent),
      rows.map(({ costMicros }) => costMicros),
      rows.map(({ failure }) => failure?.code),
      rows.map(({ failure }) => failure?.detail),
      rows.map(({ createdAt }) => createdAt.toISOString()),
    ],
  );
  if (added === undefined) throw new Error('PostgreSQL did not return the time.');
  const { at } = added;
  const ids = new Set(added.ids);
  const isNew = rows.filter(({ id }) => ids.has(id));
  return { at, rows: notCreatedAfter(at, isNew) };
}

/** The rows as they are written at `at`: created at that time at the latest. */
export function notCreatedAfter(at: Date, rows: readonly OffsetRow[]): readonly OffsetRow[] {
  return rows.map((row) => (row.createdAt < at ? row : { ...row, createdAt: at }));
}

/**
 * Returns the SET clause of an UPDATE of `offsets` for one status change, or several in a row: the last status and the date
 * of each. `TRANSITIONS` and the trigger of the database allow the same changes.
 * @throws IllegalTransition
 */
export function setStatus(from: OffsetStatus, ...through: readonly OffsetStatus[]): string {
  const transitions = transitionsAlong(from, ...through);
  const dates = transitions.map(({ date }) => `${date} = ${NOW}`);
  return [`status = '${transitions.at(-1)?.to ?? from}'`, ...dates, `updated_at = ${NOW}`].join(', ');
}

/**
 * Changes the status of locked rows, once or several times in a row, with the cost or the failure that the rows have now, and ends
 * their leases. Returns when, by the database's clock.
 */
export async function updateOffsets(
  query: Query,
  [from, ...through]: readonly [OffsetStatus, ...OffsetStatus[]],
  rows: readonly OffsetRow[],
): Promise<Date> {
  const [moved] = await query<{ count: number; at: Date }>(
    `WITH moved AS (
       UPDATE offsets SET ${setStatus(from, ...through)}, cost_micros = decided.cost, failure_code = decided.code,
         failure_detail = decided.detail, lease_token = NULL, lease_until = NULL
       FROM unnest($1::text[], $2::numeric[], $3::text[], $4::text[]) AS decided (id, cost, code, detail)
       WHERE offsets.id = decided.id RETURNING updated_at
     )
     SELECT count(*)::integer AS count, max(updated_at) AS at FROM moved`,
    [
      rows.map(({ id }) => id),
      rows.map(({ costMicros }) => costMicros),
      rows.map(({ failure }) => failure?.code),
      rows.map(({ failure }) => failure?.detail),
    ],
  );
  if (moved?.count !== rows.length) throw new Error('Offsets were moved that were not locked.');
  return moved.at;
}

function statusOf({ failure, costMicros }: OffsetRow): OffsetStatus {
  if (failure !== null) return 'failed';
  return costMicros === null ? 'queued' : 'completed';
}
