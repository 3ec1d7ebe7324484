import { OUTCOME_TOPICS, type OutcomeTopic } from '@carbon/contracts';
import { type KafkaHandle, type PartitionEnds, topicEnds, topicIdentities } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { Query } from '../persistence/database.js';
import { type Fence, fenceHolds } from '../persistence/fence.js';
import { type OutcomePosition, positionParameters, storePositions } from '../persistence/outcome-positions.js';
import { RecoveryStopped } from './process-exit.js';

/** The outcomes of one topic that must be compared with the database. */
export interface OutcomeRange {
  readonly topic: OutcomeTopic;
  /** The cluster ID and the topic ID. */
  readonly topicId: string;
  /** For each partition, from the first outcome that the database may lack to the end of the log. */
  readonly partitions: readonly PartitionEnds[];
  /** Partitions whose log ends before the stored position. */
  readonly truncated: readonly number[];
}

const logger = new Logger('OutcomeRanges');

/** Returns the range of each topic, from the stored positions on. @throws RecoveryStopped */
export async function outcomeRanges(kafka: KafkaHandle, stored: readonly OutcomePosition[]): Promise<OutcomeRange[]> {
  const identities = await topicIdentities(kafka, OUTCOME_TOPICS);
  const ranges: OutcomeRange[] = [];
  for (const topic of OUTCOME_TOPICS) {
    const identity = identities.get(topic) ?? { clusterId: '', topicId: '' };
    const topicId = `${identity.clusterId}/${identity.topicId}`;
    const positions = new Map(
      stored.filter((one) => one.topicId === topicId).map(({ partition, position }) => [partition, position]),
    );
    const ends = await topicEnds(kafka, topic);
    ranges.push({
      topic,
      topicId,
      partitions: ends.map((one) => rangeFrom(topic, one, positions.get(one.partition))),
      truncated: ends
        .filter(({ partition, end }) => (positions.get(partition) ?? 0n) > end)
        .map(({ partition }) => partition),
    });
  }
  return ranges;
}

/**
 * Returns the range of one partition. Without a stored position, or with one beyond the end of a truncated log, all of it may be
 * missing in the database. @throws RecoveryStopped if Kafka has deleted outcomes from the stored position on
 */
export function rangeFrom(
  topic: string,
  { partition, begin, end }: PartitionEnds,
  stored: bigint | undefined,
): PartitionEnds {
  if (stored === undefined || stored > end) return { partition, begin, end };
  if (stored >= begin) return { partition, begin: stored, end };
  throw new RecoveryStopped(
    `PostgreSQL holds the outcomes of ${topic} partition ${partition} up to position ${stored}, and Kafka has them only from ` +
      `${begin} on: ${begin - stored} messages that PostgreSQL may lack are deleted. ` +
      'Restore a newer backup; or, to continue without them, DELETE FROM outcome_positions, as docs/restore.md says.',
  );
}

/**
 * Stores, in a transaction, that the database holds everything in these ranges, and returns the positions. In a truncated log the
 * position decreases, because outcomes that were appended since then must be compared.
 * @throws FenceLost if the database is not the one that was compared
 */
export async function storeEnds(
  query: Query,
  { server, epoch }: Fence,
  ranges: readonly OutcomeRange[],
): Promise<readonly OutcomePosition[]> {
  for (const { topic, topicId, truncated } of ranges) {
    if (truncated.length === 0) continue;
    logger.error('An outcome topic was truncated; it was compared from its beginning.', {
      topic,
      partitions: truncated,
    });
    await query('DELETE FROM outcome_positions WHERE topic_id = $1 AND partition = ANY ($2)', [topicId, truncated]);
  }
  const positions = ranges.flatMap(({ topicId, partitions }) =>
    partitions.map(({ partition, end }) => ({ topicId, partition, position: end })),
  );
  const fenceRows = await query(
    `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(1)}), stored AS (${storePositions(3)})
     SELECT true AS held FROM fence`,
    [server, epoch, ...positionParameters(positions)],
  );
  if (fenceRows.length === 0) throw query.fence.lose();
  return positions;
}
