import { LEASE_SECONDS, leaseIsAhead } from '../fulfillment/lease.js';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import type { WrittenEvent } from './outbox.js';

/** The most events that are found and published at once. */
export const BATCH = 500;

/** An outbox row that is to be published. */
export interface UnsentEvent extends WrittenEvent {
  /** Of the payload as it goes out. */
  readonly bytes: number;
  /** Whether another relay had it, and its lease ran out. */
  readonly taken_over: boolean;
}

/** What a relay has in hand at once, in bytes as they go out: one event may be as large as Kafka takes. */
const BATCH_BYTES = 4_000_000;
/** Kafka takes no larger message. */
const LARGEST_EVENT_BYTES = 1_048_576;

/**
 * Takes the oldest unsent events that no other relay holds, under a lease: up to `most`, and no more than can be had in hand,
 * but at least one. `isAll`: there were no more. None on a database that this process has not verified: it may have been put back, and
 * what it takes for unsent may be announced already.
 */
export async function claimEvents(
  query: Query,
  token: string,
  most: number,
): Promise<{ events: UnsentEvent[]; isAll: boolean }> {
  const events = await query<UnsentEvent>(
    `WITH oldest AS MATERIALIZED (
       SELECT event_id, slot, created_at, octet_length(payload::text) AS bytes FROM outbox
       WHERE published_at IS NULL AND (lease_until IS NULL OR lease_until < now() OR ${leaseIsAhead()})
         AND ${fenceHolds(3)}
       ORDER BY created_at, event_id LIMIT $2 FOR UPDATE SKIP LOCKED
     ), summed AS (
       SELECT event_id, slot, bytes, sum(bytes) OVER (ORDER BY created_at, event_id) AS upto FROM oldest
     )
     UPDATE outbox SET lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s'
     WHERE event_id = ANY (ARRAY(SELECT event_id FROM summed WHERE upto <= ${BATCH_BYTES} OR upto = bytes))
       AND slot = ANY (ARRAY(SELECT DISTINCT slot FROM summed))
     RETURNING event_id, slot, offset_id, type, payload::text, traceparent, created_at,
       octet_length(payload::text) AS bytes, old.lease_token IS NOT NULL AS taken_over`,
    [token, most, ...query.fence.parameters],
  );
  const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
  return { events, isAll: events.length < most && bytes < BATCH_BYTES - LARGEST_EVENT_BYTES };
}
