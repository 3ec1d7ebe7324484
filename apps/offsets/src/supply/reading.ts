import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConsumedRange,
  committedPositions,
  type KafkaHandle,
  type PartitionEnds,
  type TopicIdentity,
  topicIdentity,
} from '@carbon/messaging';
import { judgeReading, type ReadingVerdict } from '../domain/reading.js';
import type { Database, Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';

/** The topic that the supply is read from, by its plain name. */
export const ASSETS = 'asset.published';

/** One reading of the asset topic, by whichever processes share the database. A later one has a higher number. */
export interface Reading {
  readonly id: string;
  readonly number: number;
}

/** A group is the reading's own, so that a new reading starts at the beginning of the topic. */
export function groupOf({ id }: Reading): string {
  return `offsets.supply.${id}`;
}

/** Between two looks that must agree: a process that is at work has told Kafka by then. */
const SECOND_LOOK_MS = 3_000;

/** How a reading stands, and to which topic it would have to go on. */
export interface Judgement {
  readonly verdict: ReadingVerdict;
  readonly identity: TopicIdentity;
}

type StoredReading = Reading & { readonly cluster_id: string | null; readonly topic_id: string | null };

/** The reading to follow: the last one where it can be continued, else a new one. `ends` asks where the topic ends now. */
export async function chooseReading(
  database: Database,
  kafka: KafkaHandle,
  ends: () => Promise<readonly PartitionEnds[]>,
): Promise<Reading> {
  const last = await lastReading(database.query);
  let { verdict, identity } = await judge(database.query, kafka, ends, last);
  if (verdict !== 'continue') {
    await sleep(SECOND_LOOK_MS);
    ({ verdict, identity } = await judge(database.query, kafka, ends, last));
  }
  if (verdict !== 'continue')
    return database.transaction((query) => beginAgain(query, last, identity, verdict === 'another topic'));
  await identify(database.query, last, identity);
  return last;
}

async function lastReading(query: Query): Promise<Reading> {
  const [reading] = await query<Reading>('SELECT id, number FROM supply_reading');
  if (!reading) throw new Error('The row of supply_reading is missing; the migrations make it.');
  return reading;
}

/**
 * The order matters while another process is at work. It writes its tables before it tells Kafka, so Kafka is asked how
 * far we have come before the tables are; and it reads only what is on the topic, so the ends are asked for last.
 */
export async function judge(
  query: Query,
  kafka: KafkaHandle,
  ends: () => Promise<readonly PartitionEnds[]>,
  reading: Reading,
): Promise<Judgement> {
  const identity = await topicIdentity(kafka, ASSETS);
  const committed = new Map(
    (await committedPositions(kafka, groupOf(reading), ASSETS)).map(({ partition, position }) => [partition, position]),
  );
  const stored = await storedPositions(query, reading);
  const partitions = (await ends()).map(({ partition, end }) => ({
    end,
    stored: stored.get(partition),
    committed: committed.get(partition),
  }));
  return { verdict: judgeReading(partitions, await isOfTopic(query, reading, identity)), identity };
}

/** Whether a reading is of this topic. One of before the ids were stored may be; one that another has followed is judged by that. */
async function isOfTopic(query: Query, { number }: Reading, { clusterId, topicId }: TopicIdentity): Promise<boolean> {
  const [stored] = await query<StoredReading>('SELECT cluster_id, topic_id FROM supply_reading WHERE number = $1', [
    number,
  ]);
  if (stored === undefined || stored.topic_id === null) return true;
  return stored.cluster_id === clusterId && stored.topic_id === topicId;
}

/** Notes which topic a reading is of, where that was not known yet. */
async function identify(query: Query, { number }: Reading, { clusterId, topicId }: TopicIdentity): Promise<void> {
  await query('UPDATE supply_reading SET cluster_id = $2, topic_id = $3 WHERE number = $1 AND topic_id IS NULL', [
    number,
    clusterId,
    topicId,
  ]);
}

/** How far a reading has come, by partition: the position of the next message. */
export async function storedPositions(query: Query, { number }: Reading): Promise<Map<number, bigint>> {
  const rows = await query<{ partition: number; position: string }>(
    'SELECT partition, position FROM supply_positions WHERE reading = $1',
    [number],
  );
  return new Map(rows.map(({ partition, position }) => [partition, BigInt(position)]));
}

/**
 * Stores how far a reading has come in one partition; it never goes back. The progress must continue what is stored, or begin with
 * the log: on an older database it would hide the changes in between until each of their assets is published again.
 * @returns false, and nothing is changed, where it does not @throws FenceLost
 */
export async function storeSupplyPosition(
  query: Query,
  { number }: Reading,
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

/** Unless another process was quicker. On another topic positions begin anew, so versions do too, for all assets at once. */
async function beginAgain(
  query: Query,
  last: Reading,
  { clusterId, topicId }: TopicIdentity,
  anotherTopic: boolean,
): Promise<Reading> {
  await query(
    `UPDATE supply_reading SET id = gen_random_uuid(), number = number + 1, cluster_id = $3, topic_id = $4,
       versions_from = CASE WHEN $2 THEN number + 1 ELSE versions_from END
     WHERE number = $1`,
    [last.number, anotherTopic, clusterId, topicId],
  );
  return lastReading(query);
}
