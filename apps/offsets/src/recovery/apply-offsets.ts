import { releaseReservations } from '../fulfillment/reservations.js';
import type { Query } from '../persistence/database.js';
import { type PublishedOutcome, requireAgreement } from './compare-outcomes.js';
import type { Outcome } from './outcomes.js';

/**
 * Applies the next staged outcomes of a type, up to `limit`, to `offsets` and `outbox`: the offsets end as published, their
 * reservations are released, and their events are marked published. The ledger must have their entries. Returns the
 * last event id; undefined when there are no more. @throws RecoveryStopped where a final offset differs from what was
 * published
 */
export async function applyOutcomes(
  query: Query,
  type: Outcome['type'],
  after: string,
  limit: number,
): Promise<string | undefined> {
  const staged = await query<PublishedOutcome & { event_id: string }>(
    `SELECT event_id, offset_id AS id, type, payload ->> 'code' AS code FROM recovered_outcomes
     WHERE event_id > $1 AND type = $2 ORDER BY event_id LIMIT $3`,
    [after, type, limit],
  );
  if (staged.length === 0) return undefined;
  const events = staged.map(({ event_id }) => event_id);
  const offsets = staged.map(({ id }) => id);
  await query('SELECT FROM offsets WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [offsets]);
  await requireAgreement(query, staged);
  await releaseReservations(query, offsets);
  for (const statement of STATEMENTS[type]) await query(statement, [events]);
  await query('UPDATE offsets SET announced_at = now() WHERE id = ANY ($1) AND announced_at IS NULL', [offsets]);
  await query(MARK_IN_OUTBOX, [events]);
  await query(INSERT_INTO_OUTBOX, [events]);
  return events.at(-1);
}

const COMPLETED_AT = `(outcome.payload ->> 'completedAt')::timestamptz`;
const FAILED_AT = `(outcome.payload ->> 'failedAt')::timestamptz`;
const CREATED_AT = `(outcome.payload ->> 'createdAt')::timestamptz`;
const REQUEST_COLUMNS = 'id, account, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent, created_at';
const REQUEST = `outcome.offset_id, outcome.payload ->> 'account', (outcome.payload ->> 'kgCO2e')::double precision, outcome.grams,
    outcome.fingerprint, outcome.payload ->> 'estimateId', outcome.payload ->> 'customerRef', outcome.traceparent, ${CREATED_AT}`;
/** As it was published: until the fence was lost, another request may have been recorded under the same id. */
const SET_REQUEST = `(${REQUEST_COLUMNS}) = (${REQUEST})`;
const NOT_FINAL = `outcome.event_id = ANY ($1) AND offsets.id = outcome.offset_id AND offsets.status IN ('queued', 'processing')`;

const MOVE_TO_COMPLETED = `
  UPDATE offsets SET status = 'completed', cost_micros = (outcome.payload ->> 'costMicros')::numeric,
    ${SET_REQUEST}, processing_at = coalesce(offsets.processing_at, ${COMPLETED_AT}),
    completed_at = ${COMPLETED_AT}, updated_at = ${COMPLETED_AT}, lease_token = NULL, lease_until = NULL
  FROM recovered_outcomes AS outcome WHERE ${NOT_FINAL}`;

const MOVE_TO_FAILED = `
  UPDATE offsets SET status = 'failed', cost_micros = NULL, ${SET_REQUEST},
    failure_code = outcome.payload ->> 'code', failure_detail = outcome.payload ->> 'detail',
    failed_at = ${FAILED_AT}, updated_at = ${FAILED_AT}, lease_token = NULL, lease_until = NULL
  FROM recovered_outcomes AS outcome WHERE ${NOT_FINAL}`;

const INSERT_COMPLETED = `
  INSERT INTO offsets (${REQUEST_COLUMNS}, status, cost_micros, processing_at, completed_at, updated_at)
  SELECT ${REQUEST}, 'completed', (outcome.payload ->> 'costMicros')::numeric, ${COMPLETED_AT}, ${COMPLETED_AT}, ${COMPLETED_AT}
  FROM recovered_outcomes AS outcome WHERE outcome.event_id = ANY ($1) ORDER BY outcome.offset_id ON CONFLICT (id) DO NOTHING`;

const INSERT_FAILED = `
  INSERT INTO offsets (${REQUEST_COLUMNS}, status, failure_code, failure_detail, failed_at, updated_at)
  SELECT ${REQUEST}, 'failed', outcome.payload ->> 'code', outcome.payload ->> 'detail', ${FAILED_AT}, ${FAILED_AT}
  FROM recovered_outcomes AS outcome WHERE outcome.event_id = ANY ($1) ORDER BY outcome.offset_id ON CONFLICT (id) DO NOTHING`;

/** Moves the offsets that are not final, then inserts those that are missing; the type decides how. */
const STATEMENTS: Readonly<Record<Outcome['type'], readonly string[]>> = {
  'offset.failed.v1': [MOVE_TO_FAILED, INSERT_FAILED],
  'offset.completed.v1': [MOVE_TO_COMPLETED, INSERT_COMPLETED],
};

/** In this order, because a failed offset releases its estimate for another one. */
export const APPLIED_TYPES = Object.keys(STATEMENTS) as readonly Outcome['type'][];

const MARK_IN_OUTBOX = `
  UPDATE outbox SET published_at = outcome.published_at, lease_token = NULL, lease_until = NULL
  FROM recovered_outcomes AS outcome
  WHERE outcome.event_id = ANY ($1) AND outbox.event_id = outcome.event_id AND outbox.published_at IS NULL`;

const INSERT_INTO_OUTBOX = `
  INSERT INTO outbox (event_id, offset_id, type, payload, traceparent, created_at, published_at)
  SELECT event_id, offset_id, type, payload, traceparent, decided_at, published_at FROM recovered_outcomes AS outcome
  WHERE event_id = ANY ($1) AND NOT EXISTS (SELECT FROM outbox WHERE outbox.event_id = outcome.event_id) ORDER BY event_id`;
