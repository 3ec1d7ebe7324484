import { releaseReservations } from '../fulfillment/reservations.js';
import type { Query } from '../persistence/database.js';
import { RecoveryStopped } from './recovery-stopped.js';

/** Offsets applied in one transaction. */
const OFFSETS = 500;

/** The types in the order in which they are applied: what failed first gives its estimate free. */
export const APPLIED_TYPES = ['offset.failed.v1', 'offset.completed.v1'] as const;

type AppliedType = (typeof APPLIED_TYPES)[number];

/**
 * Writes the next staged outcomes of a type into `offsets` and `outbox`: the rows end as they were announced, what was reserved
 * for them is released, and their events stand as published. Gives the id of the last event; undefined when there are no
 * more. The ledger must hold their entries. @throws RecoveryStopped
 */
export async function applyOutcomes(query: Query, type: AppliedType, after: string): Promise<string | undefined> {
  const staged = await query<{ event_id: string; offset_id: string }>(
    `SELECT event_id, offset_id FROM recovered_outcomes WHERE event_id > $1 AND type = $2 ORDER BY event_id LIMIT ${OFFSETS}`,
    [after, type],
  );
  const events = staged.map(({ event_id }) => event_id);
  const offsets = staged.map(({ offset_id }) => offset_id);
  if (events.length === 0) return undefined;
  await query('SELECT FROM offsets WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [offsets]);
  await mustAgree(query, events);
  await releaseReservations(query, offsets);
  await query(type === 'offset.completed.v1' ? MOVE_TO_COMPLETED : MOVE_TO_FAILED, [events]);
  await query(type === 'offset.completed.v1' ? INSERT_COMPLETED : INSERT_FAILED, [events]);
  await query('UPDATE offsets SET announced_at = now() WHERE id = ANY ($1) AND announced_at IS NULL', [offsets]);
  await query(MARK_IN_OUTBOX, [events]);
  await query(PUT_INTO_OUTBOX, [events]);
  return events.at(-1);
}

interface Disagreement {
  readonly id: string;
  readonly status: string;
  readonly failure_code: string | null;
  readonly type: string;
  readonly code: string | null;
}

/** What is final stays as it is, and must be what was announced. @throws RecoveryStopped */
export async function mustAgree(query: Query, events: readonly string[]): Promise<void> {
  const [first] = await query<Disagreement>(
    `SELECT offsets.id, offsets.status, offsets.failure_code, said.type, said.payload ->> 'code' AS code
     FROM recovered_outcomes AS said JOIN offsets ON offsets.id = said.offset_id
     WHERE said.event_id = ANY ($1) AND offsets.status IN ('completed', 'failed')
       AND (format('offset.%s.v1', offsets.status) <> said.type OR offsets.failure_code IS DISTINCT FROM said.payload ->> 'code')
     LIMIT 1`,
    [events],
  );
  if (first === undefined) return;
  const { id, status, failure_code, type, code } = first;
  throw new RecoveryStopped(
    `Offset ${id} is ${named(status, failure_code)} in PostgreSQL, but ${named(type, code)} was announced. Nothing of it is ` +
      'changed. Restore a database from before this offset was decided; see docs/restore.md.',
  );
}

function named(what: string, code: string | null): string {
  return code === null ? what : `${what} (${code})`;
}

const COMPLETED_AT = `(said.payload ->> 'completedAt')::timestamptz`;
const FAILED_AT = `(said.payload ->> 'failedAt')::timestamptz`;
const CREATED_AT = `(said.payload ->> 'createdAt')::timestamptz`;
const UNFINISHED = `said.event_id = ANY ($1) AND offsets.id = said.offset_id AND offsets.status IN ('queued', 'processing')`;

const MOVE_TO_COMPLETED = `
  UPDATE offsets SET status = 'completed', cost_micros = (said.payload ->> 'costMicros')::numeric,
    created_at = ${CREATED_AT}, processing_at = coalesce(offsets.processing_at, ${COMPLETED_AT}),
    completed_at = ${COMPLETED_AT}, updated_at = ${COMPLETED_AT}, lease_token = NULL, lease_until = NULL
  FROM recovered_outcomes AS said WHERE ${UNFINISHED}`;

const MOVE_TO_FAILED = `
  UPDATE offsets SET status = 'failed', cost_micros = NULL, created_at = ${CREATED_AT},
    failure_code = said.payload ->> 'code', failure_detail = said.payload ->> 'detail',
    failed_at = ${FAILED_AT}, updated_at = ${FAILED_AT}, lease_token = NULL, lease_until = NULL
  FROM recovered_outcomes AS said WHERE ${UNFINISHED}`;

const REQUEST_COLUMNS = 'id, account, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent, created_at';
const REQUEST = `said.offset_id, said.payload ->> 'account', (said.payload ->> 'kgCO2e')::double precision, said.grams,
    said.fingerprint, said.payload ->> 'estimateId', said.payload ->> 'customerRef', said.traceparent, ${CREATED_AT}`;

const INSERT_COMPLETED = `
  INSERT INTO offsets (${REQUEST_COLUMNS}, status, cost_micros, processing_at, completed_at, updated_at)
  SELECT ${REQUEST}, 'completed', (said.payload ->> 'costMicros')::numeric, ${COMPLETED_AT}, ${COMPLETED_AT}, ${COMPLETED_AT}
  FROM recovered_outcomes AS said WHERE said.event_id = ANY ($1) ORDER BY said.offset_id ON CONFLICT (id) DO NOTHING`;

const INSERT_FAILED = `
  INSERT INTO offsets (${REQUEST_COLUMNS}, status, failure_code, failure_detail, failed_at, updated_at)
  SELECT ${REQUEST}, 'failed', said.payload ->> 'code', said.payload ->> 'detail', ${FAILED_AT}, ${FAILED_AT}
  FROM recovered_outcomes AS said WHERE said.event_id = ANY ($1) ORDER BY said.offset_id ON CONFLICT (id) DO NOTHING`;

const MARK_IN_OUTBOX = `
  UPDATE outbox SET published_at = said.published_at, lease_token = NULL, lease_until = NULL
  FROM recovered_outcomes AS said
  WHERE said.event_id = ANY ($1) AND outbox.event_id = said.event_id AND outbox.published_at IS NULL`;

const PUT_INTO_OUTBOX = `
  INSERT INTO outbox (event_id, offset_id, type, payload, traceparent, created_at, published_at)
  SELECT event_id, offset_id, type, payload, traceparent, decided_at, published_at FROM recovered_outcomes AS said
  WHERE event_id = ANY ($1) AND NOT EXISTS (SELECT FROM outbox WHERE outbox.event_id = said.event_id) ORDER BY event_id`;
