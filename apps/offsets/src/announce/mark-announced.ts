import type { Query } from '../persistence/database.js';

/**
 * Marks events that Kafka has confirmed, and their offsets. A row whose lease has passed to another relay is left to it:
 * it will be announced once more and marked then.
 */
export async function markAnnounced(query: Query, token: string, events: readonly string[]): Promise<void> {
  await query(
    `WITH sent AS (
       UPDATE outbox SET published_at = now(), lease_token = NULL, lease_until = NULL
       WHERE event_id = ANY ($1) AND lease_token = $2 RETURNING offset_id
     )
     UPDATE offsets SET announced_at = greatest(now(), created_at) FROM sent WHERE offsets.id = sent.offset_id`,
    [events, token],
  );
}
