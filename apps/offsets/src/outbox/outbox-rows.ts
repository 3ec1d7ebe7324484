import type { OffsetCompletedV1, OffsetFailedV1 } from '@carbon/contracts';
import { LEASE_SECONDS, leaseIsAhead } from '../fulfillment/lease.js';
import type { Query } from '../persistence/database.js';
import { type Fence, fenceHolds } from '../persistence/fence.js';
import {
  holdsPositions,
  type OutcomePosition,
  positionParameters,
  storePositions,
} from '../persistence/outcome-positions.js';

/** The outcome of one offset, as an event to publish. */
export type OutcomeEvent = { readonly traceparent: string | null } & (
  | { readonly type: 'offset.completed.v1'; readonly data: OffsetCompletedV1 }
  | { readonly type: 'offset.failed.v1'; readonly data: OffsetFailedV1 }
);

/** An event in the outbox. */
export interface OutboxRow {
  readonly event_id: string;
  readonly offset_id: string;
  readonly type: OutcomeEvent['type'];
  /** JSON, as it is published. */
  readonly payload: string;
  readonly traceparent: string | null;
  readonly created_at: Date;
  /** The partition of the table. */
  readonly slot: number;
}

/** A row that a relay has claimed. */
interface ClaimedRow extends OutboxRow {
  readonly bytes: number;
  /** Whether the lease of another relay expired. */
  readonly reclaimed: boolean;
}

/** Rows that a relay publishes together, under one lease. */
export interface LeasedRows {
  /** The fence of the database that holds the rows: another database may lack them. */
  readonly fence: Fence;
  /** The fencing token of the lease. */
  readonly token: string;
  /** When the lease began at the earliest, ms of `performance.now()`. */
  readonly since: number;
  readonly rows: readonly OutboxRow[];
}

/** The payload bytes that a relay claims at once: one event may be as large as Kafka accepts. */
const MAX_CLAIMED_BYTES = 4_000_000;
/** Kafka accepts no larger message. */
const MAX_EVENT_BYTES = 1_048_576;

/** JSON escapes line breaks. An array parameter would escape each quote once more, which costs more than building the JSON. */
const PAYLOAD_SEPARATOR = '\n';

/**
 * Inserts events in the transaction that decides them; relays publish them later. An event's id is the offset's id and the type, so
 * each publication is of the same event. With a token the rows are leased from the start, for the relay of this process; the lease
 * begins now because the transaction may have waited for the supply. Every outcome passes here, so the statement checks the fence.
 * @throws FenceLost on a database that this process has not verified
 */
export async function addToOutbox(
  query: Query,
  events: readonly OutcomeEvent[],
  token?: string,
): Promise<readonly OutboxRow[]> {
  if (events.length === 0) return [];
  const payloads = events.map(({ data }) => JSON.stringify(data));
  const [added] = await query<{ at: Date; slot: number }>(
    `WITH current AS MATERIALIZED (
       SELECT current_outbox_slot() AS slot FROM database_state WHERE ${fenceHolds(6)}
     ), added AS (
       INSERT INTO outbox (event_id, slot, offset_id, type, payload, traceparent, lease_token, lease_until)
       SELECT offset_id || '.' || type, slot, offset_id, type, payload::json, traceparent, $5::uuid,
         CASE WHEN $5::uuid IS NOT NULL THEN clock_timestamp() + interval '${LEASE_SECONDS} s' END
       FROM unnest($1::text[], $2::text[], string_to_array($3, E'\\n'), $4::text[])
         AS event (offset_id, type, payload, traceparent), current
     )
     SELECT now()::timestamptz(3) AS at, slot FROM current`,
    [
      events.map(({ data }) => data.id),
      events.map(({ type }) => type),
      payloads.join(PAYLOAD_SEPARATOR),
      events.map(({ traceparent }) => traceparent),
      token,
      ...query.fence.parameters,
    ],
  );
  if (added === undefined) throw query.fence.lose();
  return events.map(({ data: { id }, type, traceparent }, index) => ({
    event_id: `${id}.${type}`,
    offset_id: id,
    type,
    payload: payloads[index] ?? '',
    traceparent,
    created_at: added.at,
    slot: added.slot,
  }));
}

/**
 * Claims the oldest unpublished rows without a lease: up to `limit` and a bounded number of bytes, but at least one. `isLast`: there
 * were no more. Claims none on a database that this process has not verified, where published rows may look unpublished.
 */
export async function claimRows(
  query: Query,
  token: string,
  limit: number,
): Promise<{ rows: readonly ClaimedRow[]; isLast: boolean }> {
  const rows = await query<ClaimedRow>(
    `WITH oldest AS MATERIALIZED (
       SELECT event_id, slot, created_at, octet_length(payload::text) AS bytes FROM outbox
       WHERE published_at IS NULL AND (lease_until IS NULL OR lease_until < now() OR ${leaseIsAhead()})
         AND ${fenceHolds(3)}
       ORDER BY created_at, event_id LIMIT $2 FOR UPDATE SKIP LOCKED
     ), summed AS (
       SELECT event_id, slot, bytes, sum(bytes) OVER (ORDER BY created_at, event_id) AS upto FROM oldest
     )
     UPDATE outbox SET lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s'
     WHERE event_id = ANY (ARRAY(SELECT event_id FROM summed WHERE upto <= ${MAX_CLAIMED_BYTES} OR upto = bytes))
       AND slot = ANY (ARRAY(SELECT DISTINCT slot FROM summed))
     RETURNING event_id, slot, offset_id, type, payload::text, traceparent, created_at,
       octet_length(payload::text) AS bytes, old.lease_token IS NOT NULL AS reclaimed`,
    [token, limit, ...query.fence.parameters],
  );
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return { rows, isLast: rows.length < limit && bytes < MAX_CLAIMED_BYTES - MAX_EVENT_BYTES };
}

/**
 * Marks rows that Kafka has confirmed, and their offsets, and stores the positions that Kafka gave them. Leaves a row whose lease
 * another relay has claimed: that relay publishes it once more and marks it.
 * @param confirmed positions to store @param known positions that this process knows to be stored
 * @throws FenceLost, and changes nothing, on a database that is not the one of the lease or is older than it was
 */
export async function markPublished(
  query: Query,
  { fence, token, rows }: Omit<LeasedRows, 'since'>,
  confirmed: readonly OutcomePosition[],
  known: readonly OutcomePosition[],
): Promise<void> {
  const ids = rows.map(({ event_id }) => event_id);
  const slots = [...new Set(rows.map(({ slot }) => slot))];
  const fenceRows = await query(
    `WITH fence AS MATERIALIZED (
       SELECT FROM database_state WHERE ${fenceHolds(4)} AND ${holdsPositions(6)}
     ), published AS (
       UPDATE outbox SET published_at = now(), lease_token = NULL, lease_until = NULL FROM fence
       WHERE event_id = ANY ($1) AND slot = ANY ($3::smallint[]) AND lease_token = $2 RETURNING offset_id
     ), stored AS (${storePositions(9)}), marked AS (
       UPDATE offsets SET announced_at = now() FROM published WHERE offsets.id = published.offset_id
     )
     SELECT true AS held FROM fence`,
    [ids, token, slots, fence.server, fence.epoch, ...positionParameters(known), ...positionParameters(confirmed)],
  );
  if (fenceRows.length === 0) throw query.fence.lose(fence);
}
