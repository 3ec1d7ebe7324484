import { OUTCOMES_LONGER_MS } from '@carbon/contracts';
import { minInSyncFault, minInSyncOf, OUTCOME_TOPICS, type PlannedTopic, type TopicOptions } from './topic-plan.js';
import type { TopicState } from './topic-state.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const RETENTION = 'retention.ms';
const MIN_IN_SYNC = 'min.insync.replicas';
const COMPRESSION = 'compression.type';
/** Settings that change what a topic means. */
const ESSENTIAL = ['cleanup.policy', 'message.timestamp.type'];

/** What is to be done about a topic that exists, and what is to be said. */
export interface Verdict {
  /** How many partitions it should grow to. */
  readonly grow: number | undefined;
  readonly change: ReadonlyMap<string, string>;
  /** What is wrong and must be put right by hand. */
  readonly faults: readonly string[];
  /** What differs and does no harm. */
  readonly notes: readonly string[];
}

/**
 * Compares a topic with the plan. Partitions, retention and `min.insync.replicas` are only raised: a lower retention would delete
 * messages, and an operator may have chosen more on purpose.
 */
export function judgeTopic(plan: PlannedTopic, state: TopicState, options: TopicOptions): Verdict {
  const { topic } = plan;
  const raised = [raisedRetention(plan, state), raisedMinInSync(state, options)].filter((one) => one !== undefined);
  return {
    grow: plan.growable && state.partitions < plan.partitions ? plan.partitions : undefined,
    change: new Map(raised),
    faults: [
      ...partitionFault(plan, state),
      ...settingFaults(plan, state),
      ...replicationFaults(topic, state, options),
    ],
    notes: [...notesOf(plan, state)],
  };
}

function partitionFault({ topic, partitions, growable }: PlannedTopic, state: TopicState): string[] {
  if (growable || state.partitions === partitions) return [];
  return [`${topic} has ${state.partitions} partitions, not ${partitions}, and their number never changes`];
}

function settingFaults({ topic, settings }: PlannedTopic, state: TopicState): string[] {
  return ESSENTIAL.flatMap((name) => {
    const [is, wanted] = [state.settings.get(name), settings[name]];
    return is === undefined || wanted === undefined || is === wanted
      ? []
      : [`${topic} has ${name} ${is}, not ${wanted}`];
  });
}

function replicationFaults(topic: string, { replication, settings }: TopicState, options: TopicOptions): string[] {
  const is = Number(settings.get(MIN_IN_SYNC) ?? 1);
  const inSync = minInSyncFault(replication, { minInSync: Math.max(is, minInSyncOf(replication, options)) });
  return [
    ...(options.replication !== undefined && options.replication !== replication
      ? [`${topic} has replication ${replication}, not ${options.replication}; kafka-reassign-partitions changes it`]
      : []),
    ...(inSync === undefined ? [] : [`${topic}: ${inSync}`]),
  ];
}

function raisedRetention({ settings }: PlannedTopic, state: TopicState): [string, string] | undefined {
  const wanted = settings[RETENTION];
  const is = state.settings.get(RETENTION);
  if (wanted === undefined || is === undefined || keptMs(is) >= keptMs(wanted)) return undefined;
  return [RETENTION, wanted];
}

function raisedMinInSync({ replication, settings }: TopicState, options: TopicOptions): [string, string] | undefined {
  const wanted = minInSyncOf(replication, options);
  const is = Number(settings.get(MIN_IN_SYNC) ?? 1);
  return is < wanted && wanted <= Math.max(1, replication - 1) ? [MIN_IN_SYNC, String(wanted)] : undefined;
}

function notesOf({ topic, partitions, growable, settings }: PlannedTopic, state: TopicState): string[] {
  const notes: string[] = [];
  if (growable && state.partitions > partitions)
    notes.push(`${topic} has ${state.partitions} partitions, more than ${partitions}; Kafka takes none away`);
  const compression = state.settings.get(COMPRESSION);
  if (settings[COMPRESSION] !== undefined && compression !== settings[COMPRESSION])
    notes.push(
      `${topic} has ${COMPRESSION} ${compression ?? 'untold'}, not ${settings[COMPRESSION]}; readers cope with it`,
    );
  const [is, wanted] = [state.settings.get(RETENTION), settings[RETENTION]];
  if (is !== undefined && wanted !== undefined && keptMs(is) > keptMs(wanted))
    notes.push(
      `${topic} is kept for ${daysText(is)}, longer than ${daysText(wanted)}; lower it by hand if it should not be`,
    );
  return notes;
}

/** Outcomes must be kept longer than requests, or one that the database has lost could not be recovered. Settings by plain name. */
export function outcomeFaults(settings: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const requested = settings.get('offset.requested');
  const [retention, segment] = [requested?.get(RETENTION), requested?.get('segment.ms')];
  if (retention === undefined) return [];
  const least = keptMs(retention) + Number(segment ?? 0) + OUTCOMES_LONGER_MS;
  return OUTCOME_TOPICS.flatMap((topic) => {
    const is = settings.get(topic)?.get(RETENTION);
    if (is === undefined || keptMs(is) >= least) return [];
    return [
      `${topic} is kept for ${daysText(is)}, it must be at least ${daysText(String(least))}: as long as offset.requested, one of its segments (segment.ms) and 7 days (OFFSET_OUTCOME_DAYS)`,
    ];
  });
}

/** Kafka keeps for ever what has a retention of -1. */
function keptMs(retention: string): number {
  return retention === '-1' ? Number.POSITIVE_INFINITY : Number(retention);
}

function daysText(retention: string): string {
  const ms = keptMs(retention);
  return Number.isFinite(ms) ? `${Math.round((ms / DAY_MS) * 10) / 10} days` : 'ever';
}
