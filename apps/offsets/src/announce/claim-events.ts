import type { Query } from '../persistence/database.js';
import { LEASE_SECONDS } from '../persistence/lease.js';
import type { OutcomeEvent } from '../persistence/outbox.js';

/** Events published at once. */
const BATCH = 500;

/** An outbox row that is to be published. */
export interface UnsentEvent {
  readonly event_id: string;
  readonly offset_id: string;
  readonly type: OutcomeEvent['type'];
  readonly payload: unknown;
  readonly traceparent: string | null;
  readonly created_at: Date;
  /** Of the payload as it is stored. */
  readonly bytes: number;
  /** Whether another relay had it, and its lease ran out. */
  readonly taken_over: boolean;
}

/** What a relay has in hand at once, in bytes as they are stored: one event may be as large as Kafka takes. */
const BATCH_BYTES = 4_000_000;

/** Takes the oldest unsent events that no other relay holds, under a lease: as many as can be had in hand, at least one. */
export function claimEvents(query: Query, token: string): Promise<UnsentEvent[]> {
  return query<UnsentEvent>(
    `WITH oldest AS MATERIALIZED (
       SELECT event_id, created_at, pg_column_size(payload) AS bytes FROM outbox
       WHERE published_at IS NULL AND (lease_until IS NULL OR lease_until < now())
       ORDER BY created_at, event_id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
     ), summed AS (
       SELECT event_id, sum(bytes) OVER (ORDER BY created_at, event_id) - bytes AS before FROM oldest
     )
     UPDATE outbox SET lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s'
     WHERE event_id = ANY (ARRAY(SELECT event_id FROM summed WHERE before < ${BATCH_BYTES}))
     RETURNING event_id, offset_id, type, payload, traceparent, created_at, pg_column_size(payload) AS bytes,
       old.lease_token IS NOT NULL AS taken_over`,
    [token],
  );
}

/** Whether these are as many as can be had in hand, so that there may be more. */
export function isFull(events: readonly UnsentEvent[]): boolean {
  return events.length === BATCH || events.reduce((sum, { bytes }) => sum + bytes, 0) >= BATCH_BYTES;
}
