import type { ConsumedRange, KafkaHandle, TopicIdentity } from '@carbon/messaging';
import { countLost, type LostRequests } from '../domain/positions.js';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import { type ConsumptionProgress, type Positions, readTopicProgress } from './topic-progress.js';

/** The topic of requests, without prefix. */
export const REQUESTS = 'offset.requested';
/** The consumer group that records them. */
export const REQUESTS_GROUP = 'offsets.requests';

/** Kafka has deleted requests that the database may lack. Nothing is consumed until an operator accepts the loss. */
export function requestsLost(lost: readonly LostRequests[]): Error {
  return new Error(
    `${countLost(lost)} messages of offset.requested are gone from Kafka that PostgreSQL may lack: ${placesOf(lost)}. ` +
      'Restore a newer backup of PostgreSQL, or continue without them: npm run ledger -- accept-loss.',
  );
}

/** Returns the ranges of lost requests as text. */
export function placesOf(lost: readonly LostRequests[]): string {
  return lost
    .map(({ partition, from, before }) => `partition ${partition} from position ${from} up to ${before - 1n}`)
    .join(', ');
}

/** Reads how far the requests are consumed. */
export function readRequestProgress(kafka: KafkaHandle, query: Query): Promise<ConsumptionProgress> {
  return readTopicProgress(kafka, REQUESTS, REQUESTS_GROUP, (identity) => readRequestPositions(query, identity));
}

/** Reads the stored positions of a topic. */
export async function readRequestPositions(query: Query, { clusterId, topicId }: TopicIdentity): Promise<Positions> {
  const rows = await query<{ partition: number; position: string }>(
    'SELECT partition, position FROM request_positions WHERE cluster_id = $1 AND topic_id = $2',
    [clusterId, topicId],
  );
  return new Map(rows.map(({ partition, position }) => [partition, BigInt(position)]));
}

/** Stores the start of partitions that have no stored position. @throws FenceLost */
export async function insertRequestPositions(
  query: Query,
  { clusterId, topicId }: TopicIdentity,
  starts: Positions,
): Promise<void> {
  const fenceRows = await query(
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
  if (fenceRows.length === 0) throw query.fence.lose();
}

/**
 * Stores the positions of partitions, one range of each, which never decrease. A range must continue the stored position: on an
 * older database it would hide the requests in between forever.
 * @returns the stored positions; lacks, and does not change, those that their range does not continue
 * @throws FenceLost, and changes nothing, on a database that this process has not verified
 */
export async function storeRequestPositions(
  query: Query,
  { clusterId, topicId }: TopicIdentity,
  ranges: readonly ConsumedRange[],
): Promise<Positions> {
  // In one order, so that two processes cannot block each other after a rebalance.
  const ordered = ranges.toSorted((one, other) => one.partition - other.partition);
  const rows = await query<{ partition: number | null; position: string | null }>(
    `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(6)}), stored AS (
       UPDATE request_positions AS one SET position = greatest(one.position, range.next)
       FROM fence, unnest($3::integer[], $4::bigint[], $5::bigint[]) AS range (partition, since, next)
       WHERE cluster_id = $1 AND topic_id = $2 AND one.partition = range.partition AND one.position >= range.since
       RETURNING one.partition, one.position
     )
     SELECT stored.partition, stored.position FROM fence LEFT JOIN stored ON true`,
    [
      clusterId,
      topicId,
      ordered.map(({ partition }) => partition),
      ordered.map(({ from }) => from),
      ordered.map(({ next }) => next),
      ...query.fence.parameters,
    ],
  );
  if (rows.length === 0) throw query.fence.lose();
  const stored = rows.flatMap(({ partition, position }): [number, bigint][] =>
    partition === null || position === null ? [] : [[partition, BigInt(position)]],
  );
  return new Map(stored);
}

/** Replaces stored positions that are outside of their log. */
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
