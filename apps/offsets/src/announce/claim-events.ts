import type { Query } from '../persistence/database.js';
import { LEASE_SECONDS } from '../persistence/lease.js';
import type { OutcomeEvent } from '../persistence/outbox.js';

/** Events published at once. */
export const BATCH = 500;

/** An outbox row that is to be published. */
export interface UnsentEvent {
  readonly event_id: string;
  readonly offset_id: string;
  readonly type: OutcomeEvent['type'];
  readonly payload: unknown;
  readonly traceparent: string | null;
  readonly created_at: Date;
  /** Whether another relay had it, and its lease ran out. */
  readonly taken_over: boolean;
}

/** Takes the oldest unsent events that no other relay holds, under a lease. */
export function claimEvents(query: Query, token: string): Promise<UnsentEvent[]> {
  return query<UnsentEvent>(
    `UPDATE outbox SET lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s'
     WHERE event_id = ANY (ARRAY(
       SELECT event_id FROM outbox WHERE published_at IS NULL AND (lease_until IS NULL OR lease_until < now())
       ORDER BY created_at, event_id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
     )) RETURNING event_id, offset_id, type, payload, traceparent, created_at, old.lease_token IS NOT NULL AS taken_over`,
    [token],
  );
}
