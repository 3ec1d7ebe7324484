import type { OffsetCompletedV1, OffsetFailedV1 } from '@carbon/contracts';
import type { Query } from './database.js';

/** The outcome of one offset, to be announced. */
export type OutcomeEvent = { readonly traceparent: string | null } & (
  | { readonly type: 'offset.completed.v1'; readonly data: OffsetCompletedV1 }
  | { readonly type: 'offset.failed.v1'; readonly data: OffsetFailedV1 }
);

/**
 * Writes events down in the transaction that makes them true; relays publish them later. The id of an event is the
 * offset's id and the type, so whoever announces it, and however often, it is the same event.
 */
export async function addToOutbox(query: Query, events: readonly OutcomeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await query(
    `INSERT INTO outbox (event_id, offset_id, type, payload, traceparent)
     SELECT offset_id || '.' || type, offset_id, type, payload::json, traceparent
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS event (offset_id, type, payload, traceparent)`,
    [
      events.map(({ data }) => data.id),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
      events.map(({ traceparent }) => traceparent),
    ],
  );
}
