import { DEAD_LETTER, deadLetterTopic, OUTCOME_TOPICS, OUTCOMES_LONGER_MS } from '@carbon/contracts';
import type { TopicTable } from '../pipeline/message.js';
import type { TopicState } from './topic-state.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const RETENTION = 'retention.ms';
const MIN_IN_SYNC = 'min.insync.replicas';
const COMPRESSION = 'compression.type';
/** Settings that change what a topic means. */
const ESSENTIAL = ['cleanup.policy', 'message.timestamp.type'];

/** The topic settings of an operator; the table of topics or the broker decides the rest. */
export interface TopicOptions {
  /** Replicas of each partition. */
  readonly replication?: number | undefined;
  /** `min.insync.replicas`: how many replicas must have a message before it is acknowledged. */
  readonly minInSync?: number | undefined;
  /** Partitions of each topic that may grow. */
  readonly partitions?: number | undefined;
  /** Retention of `offset.requested`. */
  readonly requestedDays?: number | undefined;
  /** Retention of the outcomes: `offset.completed` and `offset.failed`. */
  readonly outcomeDays?: number | undefined;
}

/** The desired state of one topic. */
export interface PlannedTopic {
  /** Plain name. */
  readonly topic: string;
  readonly partitions: number;
  readonly growable: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** How an existing topic differs from the plan. */
export interface TopicDifference {
  /** The number of partitions to grow to. */
  readonly grow: number | undefined;
  /** Settings to raise. */
  readonly change: ReadonlyMap<string, string>;
  /** Mismatches that an operator must fix. */
  readonly mismatches: readonly string[];
  /** Harmless differences. */
  readonly notes: readonly string[];
}

/** Returns the plan of every topic of a table and of its dead-letter topic. */
export function planTopics(table: TopicTable, options: TopicOptions = {}): PlannedTopic[] {
  return Object.entries(table).flatMap(([topic, { partitions, growable = false, settings }]) => {
    const days = topic === 'offset.requested' ? options.requestedDays : outcomeDays(topic, options);
    const planned = {
      topic,
      growable,
      partitions: growable ? (options.partitions ?? partitions) : partitions,
      settings: days === undefined ? settings : { ...settings, [RETENTION]: String(days * DAY_MS) },
    };
    return [planned, { topic: deadLetterTopic(topic), growable: false, ...DEAD_LETTER }];
  });
}

function outcomeDays(topic: string, options: TopicOptions): number | undefined {
  return OUTCOME_TOPICS.some((one) => one === topic) ? options.outcomeDays : undefined;
}

/**
 * Returns `min.insync.replicas` for a topic with so many replicas: two of three or more, so that acknowledged messages survive
 * the loss of a broker, and writes continue while one broker is down.
 */
export function minInSyncOf(replication: number, { minInSync }: TopicOptions = {}): number {
  return minInSync ?? Math.max(1, Math.min(2, replication - 1));
}

/** Explains why `min.insync.replicas` is too high: with one broker down nothing could be written. */
export function minInSyncMismatch(replication: number, { minInSync = 1 }: TopicOptions): string | undefined {
  const most = Math.max(1, replication - 1);
  if (minInSync <= most) return undefined;
  return `min.insync.replicas is ${minInSync} of ${replication} replicas, at most ${most} is allowed (TOPIC_MIN_INSYNC): with one broker down nothing could be written`;
}

/**
 * Compares a topic with its plan. Partitions, retention and `min.insync.replicas` are only raised: a lower retention would delete
 * messages, and an operator may have chosen more on purpose.
 */
export function compareTopic(plan: PlannedTopic, state: TopicState, options: TopicOptions): TopicDifference {
  const { partitions, growable } = plan;
  return {
    grow: growable && state.partitions < partitions ? partitions : undefined,
    change: new Map([...raisedRetention(plan, state), ...raisedMinInSync(state, options)]),
    mismatches: [...settingMismatches(plan, state), ...replicationMismatches(plan.topic, state, options)],
    notes: notesOf(plan, state),
  };
}

function raisedRetention({ settings }: PlannedTopic, state: TopicState): [string, string][] {
  const [is, planned] = [state.settings.get(RETENTION), settings[RETENTION]];
  if (planned === undefined || is === undefined || retentionMs(is) >= retentionMs(planned)) return [];
  return [[RETENTION, planned]];
}

function raisedMinInSync({ replication, settings }: TopicState, options: TopicOptions): [string, string][] {
  const expected = minInSyncOf(replication, options);
  const is = Number(settings.get(MIN_IN_SYNC) ?? 1);
  return is < expected && expected <= Math.max(1, replication - 1) ? [[MIN_IN_SYNC, String(expected)]] : [];
}

function settingMismatches({ topic, partitions, growable, settings }: PlannedTopic, state: TopicState): string[] {
  const mismatches = ESSENTIAL.flatMap((name) => {
    const [is, planned] = [state.settings.get(name), settings[name]];
    return is === undefined || planned === undefined || is === planned
      ? []
      : [`${topic} has ${name} ${is}, not ${planned}`];
  });
  if (!growable && state.partitions !== partitions)
    mismatches.unshift(
      `${topic} has ${state.partitions} partitions, not ${partitions}, and their number never changes`,
    );
  return mismatches;
}

function replicationMismatches(topic: string, { replication, settings }: TopicState, options: TopicOptions): string[] {
  const is = Number(settings.get(MIN_IN_SYNC) ?? 1);
  const inSync = minInSyncMismatch(replication, { minInSync: Math.max(is, minInSyncOf(replication, options)) });
  return [
    ...(options.replication !== undefined && options.replication !== replication
      ? [`${topic} has replication ${replication}, not ${options.replication}; kafka-reassign-partitions changes it`]
      : []),
    ...(inSync === undefined ? [] : [`${topic}: ${inSync}`]),
  ];
}

function notesOf({ topic, partitions, growable, settings }: PlannedTopic, state: TopicState): string[] {
  const notes: string[] = [];
  if (growable && state.partitions > partitions)
    notes.push(`${topic} has ${state.partitions} partitions, more than ${partitions}; Kafka cannot remove partitions`);
  const compression = state.settings.get(COMPRESSION);
  if (settings[COMPRESSION] !== undefined && compression !== settings[COMPRESSION])
    notes.push(
      `${topic} has ${COMPRESSION} ${compression ?? 'unknown'}, not ${settings[COMPRESSION]}; consumers support it`,
    );
  const [is, planned] = [state.settings.get(RETENTION), settings[RETENTION]];
  if (is !== undefined && planned !== undefined && retentionMs(is) > retentionMs(planned))
    notes.push(
      `${topic} is kept for ${daysText(is)}, longer than ${daysText(planned)}; lower it by hand if it should not be`,
    );
  return notes;
}

/**
 * Lists outcome topics kept too short: a lost outcome could not be recovered while its request exists. Settings by
 * plain name.
 */
export function outcomeMismatches(settings: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const requested = settings.get('offset.requested');
  const [retention, segment] = [requested?.get(RETENTION), requested?.get('segment.ms')];
  if (retention === undefined) return [];
  const least = retentionMs(retention) + Number(segment ?? 0) + OUTCOMES_LONGER_MS;
  return OUTCOME_TOPICS.flatMap((topic) => {
    const is = settings.get(topic)?.get(RETENTION);
    if (is === undefined || retentionMs(is) >= least) return [];
    return [
      `${topic} is kept for ${daysText(is)}, it must be at least ${daysText(String(least))}: as long as offset.requested, one of its segments (segment.ms) and 7 days (OFFSET_OUTCOME_DAYS)`,
    ];
  });
}

/** A retention of -1 is unlimited. */
function retentionMs(retention: string): number {
  return retention === '-1' ? Number.POSITIVE_INFINITY : Number(retention);
}

function daysText(retention: string): string {
  const ms = retentionMs(retention);
  return Number.isFinite(ms) ? `${Math.round((ms / DAY_MS) * 10) / 10} days` : 'ever';
}
