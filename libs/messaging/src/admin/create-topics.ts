import { TOPICS } from '@carbon/contracts';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { TopicTable } from '../pipeline/validate.js';
import { judgeTopic, outcomeFaults } from './judge-topic.js';
import { minInSyncFault, minInSyncOf, type PlannedTopic, planTopics, type TopicOptions } from './topic-plan.js';
import { alterSettings, defaultReplication, type TopicState, topicStates } from './topic-state.js';
import { ATTEMPTS_AFTER_MAKING, withAdmin } from './with-admin.js';

/** What a cluster says that lets some settings be made by nobody but its owner. */
const REFUSALS = ['POLICY_VIOLATION', 'INVALID_CONFIG'];
/** What is done without on such a cluster. */
const OPTIONAL = 'compression.type';

/** Topics that exist, but not as they must be. */
export class TopicMismatch extends Error {
  override readonly name = 'TopicMismatch';
  constructor(readonly faults: readonly string[]) {
    super(`Topics are not as they should be: ${faults.join('; ')}. Change the settings, or the topics by hand.`);
  }
}

/** Why Kafka refuses one topic, as kafkajs says it. */
type TopicRefusal = Error & { readonly type: string; readonly topic: string };

/** Topics that Kafka refuses to make, and why. */
export class TopicsRefused extends Error {
  override readonly name = 'TopicsRefused';
  constructor(refusals: readonly TopicRefusal[]) {
    const reasons = [...Map.groupBy(refusals, ({ message }) => message)];
    const sentences = reasons.map(([reason, some]) => `${reason} (${some.map(({ topic }) => topic).join(', ')})`);
    super(`Kafka refuses to make topics: ${sentences.join('; ')}`);
  }
}

/** What was done about the topics. Sentences name them by their plain names. */
export interface TopicsReport {
  /** Plain names. */
  readonly made: readonly string[];
  readonly changes: readonly string[];
  readonly notes: readonly string[];
  /** Copies of each partition and `min.insync.replicas`, of each kind that there is. */
  readonly replication: readonly string[];
}

/** Makes the topics of the table that do not exist yet, as {@link ensureTopics} does. @returns the plain names of those made */
export async function createTopics(kafka: KafkaHandle, table: TopicTable = TOPICS): Promise<string[]> {
  return [...(await ensureTopics(kafka, {}, table)).made];
}

/**
 * Makes the topics of the table and their dead-letter topics that do not exist yet, adds partitions where they may be
 * added, and raises retention and `min.insync.replicas`; nothing is ever lowered. May be called at any time, by several at once. The
 * topics can be used when it resolves.
 * @throws TopicMismatch when one is not as it must be; everything else was done, unless outcomes would be kept too short
 */
export async function ensureTopics(
  kafka: KafkaHandle,
  options: TopicOptions = {},
  table: TopicTable = TOPICS,
): Promise<TopicsReport> {
  const plans = planTopics(table, options).map((plan) => ({ plan, name: kafka.names.topic(plan.topic) }));
  await withAdmin(kafka, (admin) => mustKeepOutcomes(admin, plans, options), ATTEMPTS_AFTER_MAKING);
  const { made, notes } = await withAdmin(kafka, (admin) => makeMissing(admin, plans, options));
  const adjusted = await withAdmin(kafka, (admin) => adjust(admin, plans, options), ATTEMPTS_AFTER_MAKING);
  const fresh = [...made, ...adjusted.grown];
  await withAdmin(kafka, (admin) => leadersOf(admin, fresh), ATTEMPTS_AFTER_MAKING);
  if (adjusted.faults.length > 0) throw new TopicMismatch(adjusted.faults);
  return {
    made: made.map((name) => kafka.names.plain(name)),
    changes: adjusted.changes,
    notes: [...notes, ...adjusted.notes],
    replication: replicationOf(adjusted.states),
  };
}

type Named = { readonly plan: PlannedTopic; readonly name: string };

/** To be called before anything is raised: retention is never lowered again, so a refusal afterwards would stand for good. */
async function mustKeepOutcomes(admin: Admin, plans: readonly Named[], options: TopicOptions): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const there = plans.map(({ name }) => name).filter((name) => existing.has(name));
  const states = there.length === 0 ? new Map<string, TopicState>() : await topicStates(admin, there);
  const settings = plans.map(({ plan, name }) => {
    const state = states.get(name);
    const found = state === undefined ? [] : [...state.settings, ...judgeTopic(plan, state, options).change];
    return [plan.topic, new Map([...Object.entries(plan.settings), ...found])] as const;
  });
  const faults = outcomeFaults(new Map(settings));
  if (faults.length > 0) throw new TopicMismatch(faults);
}

async function makeMissing(
  admin: Admin,
  plans: readonly Named[],
  options: TopicOptions,
): Promise<{ made: string[]; notes: string[] }> {
  const existing = new Set(await admin.listTopics());
  const missing = plans.filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return { made: [], notes: [] };
  const replication = options.replication ?? (await defaultReplication(admin));
  const fault = replication === undefined ? undefined : minInSyncFault(replication, options);
  if (fault !== undefined) throw new TopicMismatch([fault]);
  const configs = missing.map(({ plan, name }) => configOf(plan, name, replication, options));
  const made = missing.map(({ name }) => name);
  const refusals = await make(admin, configs);
  if (refusals.length === 0) return { made, notes: [] };
  const reason = refusals.find(mayBeOptional)?.message;
  if (reason === undefined) throw new TopicsRefused(refusals);
  const left = await make(admin, configs.map(withoutOptional));
  if (left.length > 0) throw new TopicsRefused(left);
  return { made, notes: [`the cluster does not let ${OPTIONAL} be set (${reason}); the topics were made without it`] };
}

/** Makes topics. @returns why Kafka refuses some of them; one that exists by now counts as made */
async function make(admin: Admin, topics: ITopicConfig[]): Promise<TopicRefusal[]> {
  try {
    await admin.createTopics({ topics, waitForLeaders: false });
    return [];
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSAggregateError)) throw error;
    return (error.errors as TopicRefusal[]).filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
  }
}

function mayBeOptional({ type }: TopicRefusal): boolean {
  return REFUSALS.includes(type);
}

function withoutOptional({ configEntries = [], ...config }: ITopicConfig): ITopicConfig {
  return { ...config, configEntries: configEntries.filter(({ name }) => name !== OPTIONAL) };
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

interface Adjusted {
  readonly grown: string[];
  readonly changes: string[];
  readonly notes: string[];
  readonly faults: string[];
  /** By plain name, with what was changed: a broker may tell of a change only a moment after it was made. */
  readonly states: Map<string, TopicState>;
}

async function adjust(admin: Admin, plans: readonly Named[], options: TopicOptions): Promise<Adjusted> {
  const done: Adjusted = { grown: [], changes: [], notes: [], faults: [], states: new Map() };
  const states = await topicStates(
    admin,
    plans.map(({ name }) => name),
  );
  for (const { plan, name } of plans) {
    const state = states.get(name);
    if (state === undefined) throw new Error(`Kafka does not tell about ${name}.`);
    const { grow, change, faults, notes } = judgeTopic(plan, state, options);
    done.faults.push(...faults);
    done.notes.push(...notes);
    if (grow !== undefined) {
      await admin.createPartitions({ topicPartitions: [{ topic: name, count: grow }] });
      done.grown.push(name);
      done.changes.push(`${plan.topic} has ${grow} partitions now, it had ${state.partitions}`);
    }
    if (change.size > 0) await alterSettings(admin, name, state, change);
    done.states.set(plan.topic, { ...state, settings: new Map([...state.settings, ...change]) });
    for (const [setting, value] of change)
      done.changes.push(`${plan.topic} has ${setting} ${value} now, it had ${state.settings.get(setting)}`);
  }
  return done;
}

function replicationOf(states: ReadonlyMap<string, TopicState>): string[] {
  const kinds = Map.groupBy(states, ([, { replication, settings }]) => {
    return `replication ${replication}, min.insync.replicas ${settings.get('min.insync.replicas') ?? 'untold'}`;
  });
  if (kinds.size === 1) return [...kinds.keys()];
  return [...kinds].map(([kind, topics]) => `${kind}: ${topics.map(([topic]) => topic).join(', ')}`);
}

/** Asks each partition's leader something only it can answer: a batch sent while one of them is not ready goes twice. */
async function leadersOf(admin: Admin, topics: readonly string[]): Promise<void> {
  for (const topic of topics) await admin.fetchTopicOffsets(topic);
}
