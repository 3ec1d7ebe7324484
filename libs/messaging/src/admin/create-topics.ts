import { TOPICS } from '@carbon/contracts';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { TopicTable } from '../pipeline/message.js';
import { ATTEMPTS_AFTER_CREATION, withAdmin } from './admin.js';
import {
  compareTopic,
  minInSyncMismatch,
  minInSyncOf,
  outcomeMismatches,
  type PlannedTopic,
  planTopics,
  type TopicOptions,
} from './topic-plan.js';
import { alterSettings, defaultReplication, type TopicState, topicStates } from './topic-state.js';

/** Errors of a managed cluster, some of whose settings only the provider may set. */
const POLICY_ERRORS = ['POLICY_VIOLATION', 'INVALID_CONFIG'];
/** The setting that such a cluster may refuse. */
const OPTIONAL_SETTING = 'compression.type';

/** Topics exist with settings that must not be changed automatically. */
export class TopicMismatchError extends Error {
  override readonly name = 'TopicMismatchError';
  constructor(mismatches: readonly string[]) {
    super(
      `Topics do not match their configuration: ${mismatches.join('; ')}. Change the settings, or the topics by hand.`,
    );
  }
}

/** kafkajs' error about one topic. */
type TopicError = Error & { readonly type: string; readonly topic: string };

/** Kafka refused to create topics. */
export class TopicCreationError extends Error {
  override readonly name = 'TopicCreationError';
  constructor(errors: readonly TopicError[]) {
    const reasons = [...Map.groupBy(errors, ({ message }) => message)];
    const sentences = reasons.map(([reason, some]) => `${reason} (${some.map(({ topic }) => topic).join(', ')})`);
    super(`Kafka refused to create topics: ${sentences.join('; ')}`);
  }
}

/** What `ensureTopics` did. Topics by plain name. */
export interface TopicsReport {
  readonly created: readonly string[];
  readonly changes: readonly string[];
  readonly notes: readonly string[];
  /** Each combination of replication and `min.insync.replicas` that exists. */
  readonly replication: readonly string[];
}

/** A planned topic with its name in Kafka. */
type Named = { readonly plan: PlannedTopic; readonly name: string };

/** Creates the missing topics of the table, as {@link ensureTopics} does. @returns the plain names of those created */
export async function createTopics(kafka: KafkaHandle, table: TopicTable = TOPICS): Promise<string[]> {
  return [...(await ensureTopics(kafka, {}, table)).created];
}

/**
 * Creates the missing topics of the table and their dead-letter topics, adds partitions to topics that may grow, and raises
 * retention and `min.insync.replicas`; lowers nothing. May run at any time, several times at once. The topics are usable
 * when it resolves.
 * @throws TopicMismatchError before any change if outcomes would be kept too short or a missing topic cannot have its
 * `min.insync.replicas`; for any other mismatch after all other changes. @throws TopicCreationError
 */
export async function ensureTopics(
  kafka: KafkaHandle,
  options: TopicOptions = {},
  table: TopicTable = TOPICS,
): Promise<TopicsReport> {
  const plans = planTopics(table, options).map((plan) => ({ plan, name: kafka.names.topic(plan.topic) }));
  await withAdmin(kafka, (admin) => checkOutcomeRetention(admin, plans, options), ATTEMPTS_AFTER_CREATION);
  const created = await withAdmin(kafka, (admin) => createMissing(admin, plans, options));
  const adjusted = await withAdmin(kafka, (admin) => adjust(admin, plans, options), ATTEMPTS_AFTER_CREATION);
  // Only a partition's leader can answer this. A batch that is sent before all leaders are ready is sent twice.
  const awaitLeaders = async (admin: Admin) => {
    for (const topic of [...created.names, ...adjusted.grown]) await admin.fetchTopicOffsets(topic);
  };
  await withAdmin(kafka, awaitLeaders, ATTEMPTS_AFTER_CREATION);
  if (adjusted.mismatches.length > 0) throw new TopicMismatchError(adjusted.mismatches);
  return {
    created: created.names.map((name) => kafka.names.plain(name)),
    changes: adjusted.changes,
    notes: [...created.notes, ...adjusted.notes],
    replication: replicationOf(adjusted.states),
  };
}

/** Runs before anything is raised: retention is never lowered again, so a later check would refuse forever. */
async function checkOutcomeRetention(admin: Admin, plans: readonly Named[], options: TopicOptions): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const names = plans.map(({ name }) => name).filter((name) => existing.has(name));
  const states = names.length === 0 ? new Map<string, TopicState>() : await topicStates(admin, names);
  const settings = plans.map(({ plan, name }) => {
    const state = states.get(name);
    const found = state === undefined ? [] : [...state.settings, ...compareTopic(plan, state, options).change];
    return [plan.topic, new Map([...Object.entries(plan.settings), ...found])] as const;
  });
  const mismatches = outcomeMismatches(new Map(settings));
  if (mismatches.length > 0) throw new TopicMismatchError(mismatches);
}

async function createMissing(
  admin: Admin,
  plans: readonly Named[],
  options: TopicOptions,
): Promise<{ names: string[]; notes: string[] }> {
  const existing = new Set(await admin.listTopics());
  const missing = plans.filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return { names: [], notes: [] };
  const replication = options.replication ?? (await defaultReplication(admin));
  const mismatch = replication === undefined ? undefined : minInSyncMismatch(replication, options);
  if (mismatch !== undefined) throw new TopicMismatchError([mismatch]);
  const configs = missing.map(({ plan, name }) => configOf(plan, name, replication, options));
  const names = missing.map(({ name }) => name);
  const errors = await create(admin, configs);
  if (errors.length === 0) return { names, notes: [] };
  const reason = errors.find(({ type }) => POLICY_ERRORS.includes(type))?.message;
  if (reason === undefined) throw new TopicCreationError(errors);
  const remaining = await create(admin, configs.map(withoutOptional));
  if (remaining.length > 0) throw new TopicCreationError(remaining);
  const note = `the cluster does not permit ${OPTIONAL_SETTING} (${reason}); the topics were created without it`;
  return { names, notes: [note] };
}

/** Creates topics. @returns Kafka's errors, except for topics that exist by now */
async function create(admin: Admin, topics: ITopicConfig[]): Promise<TopicError[]> {
  try {
    await admin.createTopics({ topics, waitForLeaders: false });
    return [];
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSAggregateError)) throw error;
    return (error.errors as TopicError[]).filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
  }
}

function withoutOptional({ configEntries = [], ...config }: ITopicConfig): ITopicConfig {
  return { ...config, configEntries: configEntries.filter(({ name }) => name !== OPTIONAL_SETTING) };
}

function configOf(
  { partitions, settings }: PlannedTopic,
  topic: string,
  replication: number | undefined,
  options: TopicOptions,
): ITopicConfig {
  const minInSync = replication === undefined ? undefined : String(minInSyncOf(replication, options));
  const all = { ...settings, ...(minInSync !== undefined && { 'min.insync.replicas': minInSync }) };
  return {
    topic,
    numPartitions: partitions,
    ...(options.replication !== undefined && { replicationFactor: options.replication }),
    configEntries: Object.entries(all).map(([name, value]) => ({ name, value })),
  };
}

async function adjust(admin: Admin, plans: readonly Named[], options: TopicOptions) {
  const [grown, changes, notes, mismatches]: [string[], string[], string[], string[]] = [[], [], [], []];
  // By plain name, with the changes applied: a broker may report a change only a moment after it was made.
  const after = new Map<string, TopicState>();
  const names = plans.map(({ name }) => name);
  const states = await topicStates(admin, names);
  for (const { plan, name } of plans) {
    const state = states.get(name);
    if (state === undefined) throw new Error(`Kafka returned no metadata for ${name}.`);
    const { grow, change, ...differences } = compareTopic(plan, state, options);
    mismatches.push(...differences.mismatches);
    notes.push(...differences.notes);
    if (grow !== undefined) {
      await growTopic(admin, name, grow);
      grown.push(name);
      changes.push(`${plan.topic} now has ${grow} partitions (was ${state.partitions})`);
    }
    if (change.size > 0) await alterSettings(admin, name, state, change);
    after.set(plan.topic, { ...state, settings: new Map([...state.settings, ...change]) });
    for (const [setting, value] of change)
      changes.push(`${plan.topic} now has ${setting} ${value} (was ${state.settings.get(setting)})`);
  }
  return { grown, changes, notes, mismatches, states: after };
}

/** Another process may be faster, and then Kafka refuses the request. */
async function growTopic(admin: Admin, name: string, partitions: number): Promise<void> {
  try {
    await admin.createPartitions({ topicPartitions: [{ topic: name, count: partitions }] });
  } catch (error) {
    const state = (await topicStates(admin, [name])).get(name);
    if (state === undefined || state.partitions < partitions) throw error;
  }
}

function replicationOf(states: ReadonlyMap<string, TopicState>): string[] {
  const kinds = Map.groupBy(states, ([, { replication, settings }]) => {
    return `replication ${replication}, min.insync.replicas ${settings.get('min.insync.replicas') ?? 'unknown'}`;
  });
  if (kinds.size === 1) return [...kinds.keys()];
  return [...kinds].map(([kind, topics]) => `${kind}: ${topics.map(([topic]) => topic).join(', ')}`);
}
