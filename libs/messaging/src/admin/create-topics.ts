import { DEAD_LETTER, deadLetterTopic, TOPICS } from '@carbon/contracts';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { TopicTable } from '../pipeline/validate.js';
import { ATTEMPTS_AFTER_MAKING, withAdmin } from './with-admin.js';

/** Settings that change what a topic means; the others (how long it is kept) an operator may have changed on purpose. */
const ESSENTIAL = ['cleanup.policy', 'message.timestamp.type', 'compression.type'];

/** Topics that exist, but not as the table says. Nothing was changed about them. */
export class TopicMismatch extends Error {
  override readonly name = 'TopicMismatch';
  constructor(readonly faults: readonly string[]) {
    super(`Topics are not as they should be: ${faults.join('; ')}. Create them anew or mend them by hand.`);
  }
}

/**
 * Makes the topics of the table and their dead-letter topics that do not exist yet. May be called at any time, by several
 * at once. Replication is the broker's default. The topics can be used when it resolves.
 * @returns the plain names of those made
 * @throws TopicMismatch when one that exists has other partitions, another clean-up, other timestamps or another compression
 */
export async function createTopics(kafka: KafkaHandle, table: TopicTable = TOPICS): Promise<string[]> {
  const wanted = topicConfigs(table).map((config) => ({ ...config, topic: kafka.names.topic(config.topic) }));
  const made = await withAdmin(kafka, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = wanted.filter(({ topic }) => !existing.has(topic));
    if (missing.length > 0) await admin.createTopics({ topics: missing, waitForLeaders: false });
    return missing.map(({ topic }) => kafka.names.plain(topic));
  });
  const faults = await withAdmin(kafka, (admin) => faultsOf(admin, wanted), ATTEMPTS_AFTER_MAKING);
  const names = made.map((topic) => kafka.names.topic(topic));
  await withAdmin(kafka, (admin) => leadersOf(admin, names), ATTEMPTS_AFTER_MAKING);
  if (faults.length > 0) throw new TopicMismatch(faults);
  return made;
}

/** What Kafka is told about every topic of a table, by plain name. */
export function topicConfigs(table: TopicTable): ITopicConfig[] {
  return Object.entries(table).flatMap(([topic, { partitions, settings }]) => [
    config(topic, partitions, settings),
    config(deadLetterTopic(topic), DEAD_LETTER.partitions, DEAD_LETTER.settings),
  ]);
}

function config(topic: string, numPartitions: number, settings: Readonly<Record<string, string>>): ITopicConfig {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  return { topic, numPartitions, configEntries };
}

/** Asks each partition's leader something only it can answer: a batch sent while one of them is not ready goes twice. */
async function leadersOf(admin: Admin, topics: readonly string[]): Promise<void> {
  for (const topic of topics) await admin.fetchTopicOffsets(topic);
}

async function faultsOf(admin: Admin, wanted: readonly ITopicConfig[]): Promise<string[]> {
  return [...(await partitionFaults(admin, wanted)), ...(await settingFaults(admin, wanted))];
}

async function partitionFaults(admin: Admin, wanted: readonly ITopicConfig[]): Promise<string[]> {
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted.map(({ topic }) => topic) });
  const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
  return wanted.flatMap(({ topic, numPartitions }) => {
    const count = counts.get(topic);
    return count === numPartitions ? [] : [`${topic} has ${count} partitions, not ${numPartitions}`];
  });
}

async function settingFaults(admin: Admin, wanted: readonly ITopicConfig[]): Promise<string[]> {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: wanted.map(({ topic }) => ({ type, name: topic, configNames: ESSENTIAL })),
  });
  const found = new Map(resources.map(({ resourceName, configEntries }) => [resourceName, configEntries]));
  return wanted.flatMap(({ topic, configEntries = [] }) =>
    configEntries.flatMap(({ name, value }) => {
      const is = found.get(topic)?.find(({ configName }) => configName === name)?.configValue;
      return is === undefined || is === value ? [] : [`${topic} has ${name} ${is}, not ${value}`];
    }),
  );
}
