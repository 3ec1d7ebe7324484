import { DEAD_LETTER, deadLetterTopic, type Topic } from '@carbon/contracts';
import type { TopicTable } from '../pipeline/validate.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What an operator may decide about the topics. What is left out is as the table of topics or the broker has it. */
export interface TopicOptions {
  /** Copies of each partition. */
  readonly replication?: number | undefined;
  /** `min.insync.replicas`: in how many copies a message must be before it is confirmed. */
  readonly minInSync?: number | undefined;
  /** Partitions of each topic that may grow. */
  readonly partitions?: number | undefined;
  /** How long `offset.requested` is kept. */
  readonly requestedDays?: number | undefined;
  /** How long `offset.completed` and `offset.failed` are kept. */
  readonly outcomeDays?: number | undefined;
}

/** One topic as it should be. */
export interface PlannedTopic {
  /** Plain name. */
  readonly topic: string;
  readonly partitions: number;
  readonly growable: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** The topics whose retention the rule about outcomes compares with that of `offset.requested`. */
export const OUTCOME_TOPICS: readonly string[] = ['offset.completed', 'offset.failed'];

/** Every topic of a table and its dead-letter topic, as the operator wants them. */
export function planTopics(table: TopicTable, options: TopicOptions = {}): PlannedTopic[] {
  return Object.entries(table).flatMap(([topic, facts]) => [
    planned(topic, facts, options),
    { topic: deadLetterTopic(topic), growable: false, ...DEAD_LETTER },
  ]);
}

function planned(
  topic: string,
  { partitions, growable = false, settings }: Topic,
  options: TopicOptions,
): PlannedTopic {
  const days = daysOf(topic, options);
  return {
    topic,
    growable,
    partitions: growable ? (options.partitions ?? partitions) : partitions,
    settings: days === undefined ? settings : { ...settings, 'retention.ms': String(days * DAY_MS) },
  };
}

function daysOf(topic: string, { requestedDays, outcomeDays }: TopicOptions): number | undefined {
  if (topic === 'offset.requested') return requestedDays;
  return OUTCOME_TOPICS.includes(topic) ? outcomeDays : undefined;
}

/**
 * Returns `min.insync.replicas` for topics of so many copies: two of three or more, so that what was confirmed outlives the loss
 * of a broker, and one broker may be away without anything being refused.
 */
export function minInSyncOf(replication: number, { minInSync }: TopicOptions = {}): number {
  return minInSync ?? Math.max(1, Math.min(2, replication - 1));
}

/** Why a topic of so many copies cannot have this many in sync: with one broker away nothing could be written. */
export function minInSyncFault(replication: number, { minInSync = 1 }: TopicOptions): string | undefined {
  const most = Math.max(1, replication - 1);
  if (minInSync <= most) return undefined;
  return `min.insync.replicas is ${minInSync} of ${replication} replicas, at most ${most} will do (TOPIC_MIN_INSYNC): with one broker away nothing could be written`;
}
