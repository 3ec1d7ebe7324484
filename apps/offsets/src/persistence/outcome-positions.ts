import { Injectable } from '@nestjs/common';
import type { Query } from './database.js';

/** The topics that outcomes are announced on. */
export const OUTCOME_TOPICS = ['offset.completed', 'offset.failed'] as const;
/** One of {@link OUTCOME_TOPICS}. */
export type OutcomeTopic = (typeof OUTCOME_TOPICS)[number];

/** The position of the next outcome on a partition: everything before it is in the database. */
export interface OutcomePosition {
  /** The cluster's and the topic's id: another topic of the same name begins anew. */
  readonly topicId: string;
  readonly partition: number;
  readonly position: bigint;
}

/** Three parameters of a statement that {@link holdsPositions} or {@link storePositions} is part of. */
export function positionParameters(positions: readonly OutcomePosition[]): [string[], number[], string[]] {
  return [
    positions.map(({ topicId }) => topicId),
    positions.map(({ partition }) => partition),
    positions.map(({ position }) => String(position)),
  ];
}

const reached = (first: number) =>
  `unnest($${first}::text[], $${first + 1}::integer[], $${first + 2}::bigint[]) AS reached (topic_id, partition, position)`;

/** SQL that is true while the database holds at least the positions of three parameters from `$first` on. */
export function holdsPositions(first: number): string {
  return `NOT EXISTS (SELECT FROM ${reached(first)} LEFT JOIN outcome_positions AS stored USING (topic_id, partition)
    WHERE stored.position IS NULL OR stored.position < reached.position)`;
}

/** SQL that stores the positions of three parameters from `$first` on if the CTE `fence` has a row. They never go back. */
export function storePositions(first: number): string {
  return `INSERT INTO outcome_positions (topic_id, partition, position)
    SELECT topic_id, partition, reached.position FROM ${reached(first)}, fence ORDER BY topic_id, partition
    ON CONFLICT (topic_id, partition) DO UPDATE SET position = greatest(outcome_positions.position, excluded.position)`;
}

/**
 * What this process knows of the stored positions of outcomes. They only grow, so a database that holds less than this is an
 * older one.
 */
@Injectable()
export class KnownPositions {
  private topicIds: ReadonlyMap<OutcomeTopic, string> = new Map();
  private readonly known = new Map<string, OutcomePosition>();

  /** The ids of the topics that outcomes are published on. */
  follow(topicIds: ReadonlyMap<OutcomeTopic, string>): void {
    this.topicIds = topicIds;
  }

  /** These are all that is stored. */
  replace(positions: readonly OutcomePosition[]): void {
    this.known.clear();
    this.add(positions);
  }

  /** These are stored. */
  add(positions: readonly OutcomePosition[]): void {
    for (const one of positions) {
      const key = `${one.topicId} ${one.partition}`;
      if (one.position > (this.known.get(key)?.position ?? -1n)) this.known.set(key, one);
    }
  }

  /** All that are known to be stored. */
  get all(): readonly OutcomePosition[] {
    return [...this.known.values()];
  }

  /** What is to be stored once Kafka has confirmed a message at each of these places; nothing until the topics are known. */
  after(
    confirmed: readonly { readonly topic: OutcomeTopic; readonly partition: number; readonly position: bigint }[],
  ): readonly OutcomePosition[] {
    const next = new Map<string, OutcomePosition>();
    for (const { topic, partition, position } of confirmed) {
      const topicId = this.topicIds.get(topic);
      if (topicId === undefined) continue;
      const key = `${topicId} ${partition}`;
      if (position >= (next.get(key)?.position ?? 0n)) next.set(key, { topicId, partition, position: position + 1n });
    }
    return [...next.values()];
  }
}

/** The stored positions. */
export async function readPositions(query: Query): Promise<OutcomePosition[]> {
  const rows = await query<{ topic_id: string; partition: number; position: string }>(
    'SELECT topic_id, partition, position FROM outcome_positions',
  );
  return rows.map(({ topic_id, partition, position }) => ({
    topicId: topic_id,
    partition,
    position: BigInt(position),
  }));
}
