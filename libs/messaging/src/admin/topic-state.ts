import kafkajs, { type Admin } from 'kafkajs';

/** The current state of one topic. */
export interface TopicState {
  readonly partitions: number;
  /** Replicas of the partition that has the fewest. */
  readonly replication: number;
  /** Every setting, including the broker's defaults. */
  readonly settings: ReadonlyMap<string, string>;
  /** Only the settings that are set on the topic itself. */
  readonly own: ReadonlyMap<string, string>;
}

/** Returns the state of topics, by full name. */
export async function topicStates(admin: Admin, topics: readonly string[]): Promise<Map<string, TopicState>> {
  const { topics: metadata } = await admin.fetchTopicMetadata({ topics: [...topics] });
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type, name })),
  });
  const entries = new Map(resources.map(({ resourceName, configEntries }) => [resourceName, configEntries]));
  return new Map(
    metadata.map(({ name, partitions }) => {
      const found = entries.get(name) ?? [];
      const own = found.filter(({ configSource }) => configSource === kafkajs.ConfigSource.TOPIC_CONFIG);
      const values = (some: typeof found) =>
        new Map(some.map(({ configName, configValue }) => [configName, configValue]));
      const replication = Math.min(...partitions.map(({ replicas }) => replicas.length));
      return [name, { partitions: partitions.length, replication, settings: values(found), own: values(own) }];
    }),
  );
}

/** Changes settings of one topic. Kafka replaces all of them at once, so the others are sent along. */
export async function alterSettings(
  admin: Admin,
  topic: string,
  { own }: TopicState,
  changes: ReadonlyMap<string, string>,
): Promise<void> {
  const configEntries = [...new Map([...own, ...changes])].map(([name, value]) => ({ name, value }));
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries }];
  await admin.alterConfigs({ validateOnly: false, resources });
}

/** Returns the brokers' default replication factor, or undefined if reading broker settings is not allowed. */
export async function defaultReplication(
  admin: Pick<Admin, 'describeCluster' | 'describeConfigs'>,
): Promise<number | undefined> {
  const { brokers } = await admin.describeCluster();
  const [broker] = brokers;
  if (broker === undefined) return undefined;
  const name = 'default.replication.factor';
  const resource = { type: kafkajs.ConfigResourceTypes.BROKER, name: String(broker.nodeId), configNames: [name] };
  try {
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] });
    const value = Number(resources[0]?.configEntries.find(({ configName }) => configName === name)?.configValue);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  } catch (error) {
    // Many managed clusters deny access to broker settings.
    if (error instanceof Error && 'type' in error && error.type === 'CLUSTER_AUTHORIZATION_FAILED') return undefined;
    throw error;
  }
}
