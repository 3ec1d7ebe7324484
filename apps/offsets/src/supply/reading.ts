import { setTimeout as sleep } from 'node:timers/promises';
import { committedPositions, type KafkaHandle, type PartitionEnds } from '@carbon/messaging';
import { judgeReading, type ReadingVerdict } from '../domain/reading.js';
import type { Database, Query } from '../persistence/database.js';

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

/** The reading to follow: the last one where it can be continued, else a new one. `ends` asks where the topic ends now. */
export async function chooseReading(
  database: Database,
  kafka: KafkaHandle,
  ends: () => Promise<readonly PartitionEnds[]>,
): Promise<Reading> {
  const last = await lastReading(database.query);
  if ((await judge(database.query, kafka, ends, last)) === 'continue') return last;
  await sleep(SECOND_LOOK_MS);
  const verdict = await judge(database.query, kafka, ends, last);
  if (verdict === 'continue') return last;
  return database.transaction((query) => beginAgain(query, last, verdict === 'another topic'));
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
async function judge(
  query: Query,
  kafka: KafkaHandle,
  ends: () => Promise<readonly PartitionEnds[]>,
  reading: Reading,
): Promise<ReadingVerdict> {
  const committed = new Map(
    (await committedPositions(kafka, groupOf(reading), ASSETS)).map(({ partition, position }) => [partition, position]),
  );
  const stored = await storedPositions(query, reading);
  return judgeReading(
    (await ends()).map(({ partition, end }) => ({
      end,
      stored: stored.get(partition),
      committed: committed.get(partition),
    })),
  );
}

/** How far a reading has come, by partition: the position of the next message. */
export async function storedPositions(query: Query, { number }: Reading): Promise<Map<number, bigint>> {
  const rows = await query<{ partition: number; position: string }>(
    'SELECT partition, position FROM supply_positions WHERE reading = $1',
    [number],
  );
  return new Map(rows.map(({ partition, position }) => [partition, BigInt(position)]));
}

/** Notes how far a reading has come: the position of the next message, by partition. It never goes back. */
export async function storePositions(
  query: Query,
  { number }: Reading,
  positions: ReadonlyMap<number, bigint>,
): Promise<void> {
  await query(
    `INSERT INTO supply_positions (reading, partition, position)
     SELECT $1, partition, position FROM unnest($2::integer[], $3::bigint[]) AS reached (partition, position)
     ORDER BY partition
     ON CONFLICT (reading, partition) DO UPDATE SET position = greatest(supply_positions.position, excluded.position)`,
    [number, [...positions.keys()], [...positions.values()]],
  );
}

/** Unless another process was quicker. On another topic positions begin anew, so versions must too. */
async function beginAgain(query: Query, last: Reading, anotherTopic: boolean): Promise<Reading> {
  const begun = await query(
    'UPDATE supply_reading SET id = gen_random_uuid(), number = number + 1 WHERE number = $1 RETURNING id',
    [last.number],
  );
  if (begun.length > 0 && anotherTopic) {
    await query('SELECT FROM supply ORDER BY asset_id FOR UPDATE');
    await query('UPDATE supply SET version = 0');
  }
  return lastReading(query);
}
