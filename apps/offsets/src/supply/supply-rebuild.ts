import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumedRange, KafkaHandle, PartitionEnds, TopicIdentity } from '@carbon/messaging';
import { type RebuildVerdict, rebuildVerdict } from '../domain/positions.js';
import type { Database, Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import { readTopicProgress } from '../recovery/topic-progress.js';

/** The topic of assets, without prefix. */
export const ASSETS = 'asset.published';

/**
 * One pass over the asset topic from its beginning, by all processes that share the database. A later one has a higher
 * number.
 */
export interface SupplyRebuild {
  readonly id: string;
  readonly number: number;
}

/** Returns the consumer group of a rebuild: each has its own, so that a new one starts at the beginning of the topic. */
export function groupOf({ id }: SupplyRebuild): string {
  return `offsets.supply.${id}`;
}

/** Two verdicts this far apart must agree: by then a process that consumes has committed what it has stored. */
const SECOND_LOOK_MS = 3_000;

/** Returns the rebuild to follow: the last one where it can resume, otherwise a new one. */
export async function chooseRebuild(
  database: Database,
  kafka: KafkaHandle,
  readEnds?: () => Promise<readonly PartitionEnds[]>,
): Promise<SupplyRebuild> {
  const last = await lastRebuild(database.query);
  let { verdict, identity } = await judgeRebuild(database.query, kafka, last, readEnds);
  if (verdict !== 'resume') {
    await sleep(SECOND_LOOK_MS);
    ({ verdict, identity } = await judgeRebuild(database.query, kafka, last, readEnds));
  }
  const { clusterId, topicId } = identity;
  if (verdict !== 'resume')
    return database.transaction((query) => beginRebuild(query, last, identity, verdict === 'topicRecreated'));
  // Rebuilds of older versions have no topic ID.
  await database.query(
    'UPDATE supply_reading SET cluster_id = $2, topic_id = $3 WHERE number = $1 AND topic_id IS NULL',
    [last.number, clusterId, topicId],
  );
  return last;
}

async function lastRebuild(query: Query): Promise<SupplyRebuild> {
  const [rebuild] = await query<SupplyRebuild>('SELECT id, number FROM supply_reading');
  if (!rebuild) throw new Error('The row of supply_reading is missing; the migrations insert it.');
  return rebuild;
}

/** Compares a rebuild with the topic. */
export async function judgeRebuild(
  query: Query,
  kafka: KafkaHandle,
  rebuild: SupplyRebuild,
  readEnds?: () => Promise<readonly PartitionEnds[]>,
): Promise<{ readonly verdict: RebuildVerdict; readonly identity: TopicIdentity }> {
  const readStored = () => storedPositions(query, rebuild);
  const { identity, partitions } = await readTopicProgress(kafka, ASSETS, groupOf(rebuild), readStored, readEnds);
  return { verdict: rebuildVerdict(partitions, await isOfTopic(query, rebuild, identity)), identity };
}

/** True where the topic ID is unknown, or another process has begun a later rebuild. */
async function isOfTopic(
  query: Query,
  { number }: SupplyRebuild,
  { clusterId, topicId }: TopicIdentity,
): Promise<boolean> {
  const [stored] = await query<{ cluster_id: string; topic_id: string }>(
    'SELECT cluster_id, topic_id FROM supply_reading WHERE number = $1 AND topic_id IS NOT NULL',
    [number],
  );
  return stored === undefined || (stored.cluster_id === clusterId && stored.topic_id === topicId);
}

/**
 * Changes nothing if another process was faster. In a new topic positions start from the beginning, so the versions of all assets
 * do too.
 */
async function beginRebuild(
  query: Query,
  last: SupplyRebuild,
  { clusterId, topicId }: TopicIdentity,
  isNewTopic: boolean,
): Promise<SupplyRebuild> {
  await query(
    `UPDATE supply_reading SET id = gen_random_uuid(), number = number + 1, cluster_id = $3, topic_id = $4,
       versions_from = CASE WHEN $2 THEN number + 1 ELSE versions_from END
     WHERE number = $1`,
    [last.number, isNewTopic, clusterId, topicId],
  );
  return lastRebuild(query);
}

/** Returns the stored position of the next message, by partition. */
export async function storedPositions(query: Query, { number }: SupplyRebuild): Promise<Map<number, bigint>> {
  const rows = await query<{ partition: number; position: string }>(
    'SELECT partition, position FROM supply_positions WHERE reading = $1',
    [number],
  );
  return new Map(rows.map(({ partition, position }) => [partition, BigInt(position)]));
}

/**
 * Stores the position of one partition, which never decreases. The progress must continue the stored position, or start with the log:
 * on an older database it would hide the changes in between until each of their assets is published again.
 * @returns false, and changes nothing, where it does not @throws FenceLost
 */
export async function storeSupplyPosition(
  query: Query,
  { number }: SupplyRebuild,
  { partition, from, next }: ConsumedRange,
  begin: bigint,
): Promise<boolean> {
  const [held] = await query<{ stored: boolean }>(
    `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(6)}), stored AS (
       INSERT INTO supply_positions (reading, partition, position) SELECT $1::integer, $2::integer, $4::bigint FROM fence
       WHERE $3::bigint <= $5::bigint
         OR EXISTS (SELECT FROM supply_positions WHERE reading = $1 AND partition = $2 AND position >= $3)
       ON CONFLICT (reading, partition) DO UPDATE SET position = greatest(supply_positions.position, excluded.position)
       RETURNING partition
     )
     SELECT EXISTS (SELECT FROM stored) AS stored FROM fence`,
    [number, partition, from, next, begin, ...query.fence.parameters],
  );
  if (held === undefined) throw query.fence.lose();
  return held.stored;
}
