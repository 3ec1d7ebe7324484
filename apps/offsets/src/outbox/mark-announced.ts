import type { Query } from '../persistence/database.js';
import { type Fence, fenceHolds } from '../persistence/fence.js';
import {
  holdsPositions,
  type OutcomePosition,
  positionParameters,
  storePositions,
} from '../persistence/outcome-positions.js';
import type { WrittenEvent } from './outbox.js';

/** How far the topics of outcomes are confirmed, and how far this process knows that the database was. */
export interface Reached {
  /** Under which the events were taken: on a database that was verified since, they and these positions may be news. */
  readonly fence?: Fence;
  readonly positions: readonly OutcomePosition[];
  readonly known: readonly OutcomePosition[];
}

/**
 * Marks events that Kafka has confirmed, and their offsets, and stores with the mark where Kafka has them. A row whose lease has
 * passed to another relay is left to it: it will be announced once more and marked then.
 * @throws FenceLost, and changes nothing, on a database that this process has not verified or that is older
 */
export async function markAnnounced(
  query: Query,
  token: string,
  events: readonly WrittenEvent[],
  { fence = query.fence.required(), positions, known }: Reached = { positions: [], known: [] },
): Promise<void> {
  const ids = events.map(({ event_id }) => event_id);
  const slots = [...new Set(events.map(({ slot }) => slot))];
  const held = await query(
    `WITH fence AS MATERIALIZED (
       SELECT FROM database_state WHERE ${fenceHolds(4)} AND ${holdsPositions(6)}
     ), sent AS (
       UPDATE outbox SET published_at = now(), lease_token = NULL, lease_until = NULL FROM fence
       WHERE event_id = ANY ($1) AND slot = ANY ($3::smallint[]) AND lease_token = $2 RETURNING offset_id
     ), stored AS (${storePositions(9)}), marked AS (
       UPDATE offsets SET announced_at = now() FROM sent WHERE offsets.id = sent.offset_id
     )
     SELECT true AS held FROM fence`,
    [ids, token, slots, fence.server, fence.epoch, ...positionParameters(known), ...positionParameters(positions)],
  );
  if (held.length === 0) throw query.fence.lose(fence);
}
