import type { OffsetCompletedV1, OffsetFailedV1 } from '@carbon/contracts';
import type { Query } from './database.js';
import { LEASE_SECONDS } from './lease.js';

/** The outcome of one offset, to be announced. */
export type OutcomeEvent = { readonly traceparent: string | null } & (
  | { readonly type: 'offset.completed.v1'; readonly data: OffsetCompletedV1 }
  | { readonly type: 'offset.failed.v1'; readonly data: OffsetFailedV1 }
);

/** An event as it is written down. */
export interface WrittenEvent {
  readonly event_id: string;
  readonly offset_id: string;
  readonly type: OutcomeEvent['type'];
  /** JSON, as it is announced. */
  readonly payload: string;
  readonly traceparent: string | null;
  readonly created_at: Date;
}

/**
 * A line break within JSON is always escaped, so payloads can be told apart by one: as an array, each of their many quotes would
 * be escaped for PostgreSQL once more, which costs more than making them.
 */
const JSON_NEVER_HAS = '\n';

/**
 * Writes events down in the transaction that makes them true; relays publish them later. The id of an event is the
 * offset's id and the type, so whoever announces it, and however often, it is the same event. With a token they are held
 * under it from the beginning, for a relay that is given them: nobody need look for them, until that lease runs out. It begins
 * now, and not with a transaction that may have waited for the supply.
 */
export async function addToOutbox(
  query: Query,
  events: readonly OutcomeEvent[],
  token?: string,
): Promise<readonly WrittenEvent[]> {
  if (events.length === 0) return [];
  const payloads = events.map(({ data }) => JSON.stringify(data));
  const [written] = await query<{ at: Date }>(
    `WITH added AS (
       INSERT INTO outbox (event_id, offset_id, type, payload, traceparent, lease_token, lease_until)
       SELECT offset_id || '.' || type, offset_id, type, payload::json, traceparent, $5::uuid,
         CASE WHEN $5::uuid IS NOT NULL THEN clock_timestamp() + interval '${LEASE_SECONDS} s' END
       FROM unnest($1::text[], $2::text[], string_to_array($3, E'\\n'), $4::text[])
         AS event (offset_id, type, payload, traceparent)
     )
     SELECT now()::timestamptz(3) AS at`,
    [
      events.map(({ data }) => data.id),
      events.map(({ type }) => type),
      payloads.join(JSON_NEVER_HAS),
      events.map(({ traceparent }) => traceparent),
      token,
    ],
  );
  if (written === undefined) throw new Error('There was no answer to what was written into the outbox.');
  return events.map(({ data: { id }, type, traceparent }, place) => ({
    event_id: `${id}.${type}`,
    offset_id: id,
    type,
    payload: payloads[place] ?? '',
    traceparent,
    created_at: written.at,
  }));
}
