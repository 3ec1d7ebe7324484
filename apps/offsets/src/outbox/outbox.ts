import type { OffsetCompletedV1, OffsetFailedV1 } from '@carbon/contracts';
import { LEASE_SECONDS } from '../fulfillment/lease.js';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';

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
  /** The slot of the outbox that it is in. */
  readonly slot: number;
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
 * now, and not with a transaction that may have waited for the supply. Every outcome passes through here, so this is where the
 * fence is asked for. @throws FenceLost on a database that this process has not verified
 */
export async function addToOutbox(
  query: Query,
  events: readonly OutcomeEvent[],
  token?: string,
): Promise<readonly WrittenEvent[]> {
  if (events.length === 0) return [];
  const fence = query.fence.parameters;
  const payloads = events.map(({ data }) => JSON.stringify(data));
  const [written] = await query<{ at: Date; slot: number }>(
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
      payloads.join(JSON_NEVER_HAS),
      events.map(({ traceparent }) => traceparent),
      token,
      ...fence,
    ],
  );
  if (written === undefined) throw query.fence.lose();
  return events.map(({ data: { id }, type, traceparent }, place) => ({
    event_id: `${id}.${type}`,
    offset_id: id,
    type,
    payload: payloads[place] ?? '',
    traceparent,
    created_at: written.at,
    slot: written.slot,
  }));
}
