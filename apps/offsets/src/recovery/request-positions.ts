import type { ConsumedRange, TopicIdentity } from '@carbon/messaging';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';

/** Positions of the next request, by partition. */
export type Positions = ReadonlyMap<number, bigint>;

/** How far the database holds the requests of a topic. */
export async function readRequestPositions(query: Query, { clusterId, topicId }: TopicIdentity): Promise<Positions> {
  const rows = await query<{ partition: number; position: string }>(
    'SELECT partition, position FROM request_positions WHERE cluster_id = $1 AND topic_id = $2',
    [clusterId, topicId],
  );
  return new Map(rows.map(({ partition, position }) => [partition, BigInt(position)]));
}

/** Stores where partitions begin of which nothing is stored yet. @throws FenceLost */
export async function beginRequestPositions(
  query: Query,
  { clusterId, topicId }: TopicIdentity,
  starts: Positions,
): Promise<void> {
  const held = await query(
    `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(5)}), begun AS (
       INSERT INTO request_positions (cluster_id, topic_id, partition, position)
       SELECT $1::text, $2::uuid, partition, position
       FROM unnest($3::integer[], $4::bigint[]) AS start (partition, position), fence
       ORDER BY partition
       ON CONFLICT (cluster_id, topic_id, partition) DO NOTHING
     )
     SELECT true AS held FROM fence`,
    [clusterId, topicId, [...starts.keys()], [...starts.values()], ...query.fence.parameters],
  );
  if (held.length === 0) throw query.fence.lose();
}

/**
 * Stores progress in one partition, which never goes back. The progress must continue what is stored: on an older database it
 * would hide the requests in between for ever.
 * @returns the stored position; undefined, and nothing is changed, where the progress does not continue it
 * @throws FenceLost, and changes nothing, on a database that this process has not verified
 */
export async function storeRequestPosition(
  query: Query,
  { clusterId, topicId }: TopicIdentity,
  { partition, from, next }: ConsumedRange,
): Promise<bigint | undefined> {
  const [held] = await query<{ position: string | null }>(
    `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(6)}), stored AS (
       UPDATE request_positions SET position = greatest(position, $4::bigint) FROM fence
       WHERE cluster_id = $1 AND topic_id = $2 AND partition = $3 AND position >= $5::bigint RETURNING position
     )
     SELECT (SELECT position FROM stored) AS position FROM fence`,
    [clusterId, topicId, partition, next, from, ...query.fence.parameters],
  );
  if (held === undefined) throw query.fence.lose();
  return held.position === null ? undefined : BigInt(held.position);
}

/** Sets positions to those given, where the stored ones are beyond the end or below the begin of their log. */
export async function resetRequestPositions(
  query: Query,
  { clusterId, topicId }: TopicIdentity,
  positions: Positions,
): Promise<void> {
  await query(
    `UPDATE request_positions AS stored SET position = start.position
     FROM unnest($3::integer[], $4::bigint[]) AS start (partition, position)
     WHERE stored.cluster_id = $1 AND stored.topic_id = $2 AND stored.partition = start.partition`,
    [clusterId, topicId, [...positions.keys()], [...positions.values()]],
  );
}
