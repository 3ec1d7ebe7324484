import type { OutcomeTopic } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import type { Query } from './database.js';

/** The position of the next outcome in a partition: the database holds everything before it. */
export interface OutcomePosition {
  /** The cluster ID and the topic ID: positions in a re-created topic start from the beginning. */
  readonly topicId: string;
  readonly partition: number;
  readonly position: bigint;
}

/** Returns three parameters for {@link holdsPositions} or {@link storePositions}. */
export function positionParameters(positions: readonly OutcomePosition[]): [string[], number[], string[]] {
  return [
    positions.map(({ topicId }) => topicId),
    positions.map(({ partition }) => partition),
    positions.map(({ position }) => String(position)),
  ];
}

const reached = (first: number) =>
  `unnest($${first}::text[], $${first + 1}::integer[], $${first + 2}::bigint[]) AS reached (topic_id, partition, position)`;

/** Returns SQL that is true while the database holds at least the positions in the parameters from `$first` on. */
export function holdsPositions(first: number): string {
  return `NOT EXISTS (SELECT FROM ${reached(first)} LEFT JOIN outcome_positions AS stored USING (topic_id, partition)
    WHERE stored.position IS NULL OR stored.position < reached.position)`;
}

/** Returns SQL that stores the positions in the parameters from `$first` on if the CTE `fence` has a row. They never decrease. */
export function storePositions(first: number): string {
  return `INSERT INTO outcome_positions (topic_id, partition, position)
    SELECT topic_id, partition, reached.position FROM ${reached(first)}, fence ORDER BY topic_id, partition
    ON CONFLICT (topic_id, partition) DO UPDATE SET position = greatest(outcome_positions.position, excluded.position)`;
}

/** Reads the stored positions. */
export async function readOutcomePositions(query: Query): Promise<OutcomePosition[]> {
  const rows = await query<{ topic_id: string; partition: number; position: string }>(
    'SELECT topic_id, partition, position FROM outcome_positions',
  );
  return rows.map(({ topic_id: topicId, partition, position }) => ({ topicId, partition, position: BigInt(position) }));
}

/**
 * Remembers which positions are stored. A database that holds lower ones is an older one, because they decrease only when a
 * process finds an outcome topic truncated; the other processes exit then, and verify the database again when they restart.
 */
@Injectable()
export class OutcomePositions {
  private topicIds: ReadonlyMap<OutcomeTopic, string> = new Map();
  private readonly known = new Map<string, OutcomePosition>();

  /** The positions that this process knows to be stored. */
  get stored(): readonly OutcomePosition[] {
    return [...this.known.values()];
  }

  /** Replaces what is known after the database was verified. */
  reset(topicIds: ReadonlyMap<OutcomeTopic, string>, stored: readonly OutcomePosition[]): void {
    this.topicIds = topicIds;
    this.known.clear();
    this.add(stored);
  }

  /** Adds positions that are stored now. */
  add(stored: readonly OutcomePosition[]): void {
    for (const one of stored) {
      const key = `${one.topicId} ${one.partition}`;
      if (one.position > (this.known.get(key)?.position ?? -1n)) this.known.set(key, one);
    }
  }

  /** Returns the positions to store after Kafka has confirmed these messages; none until the topic IDs are known. */
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
