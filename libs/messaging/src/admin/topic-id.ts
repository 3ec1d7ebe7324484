import { type Kafka } from 'kafkajs';
import { type KafkaHandle } from '../kafka/create-kafka.js';
import { retryUntilKnown } from './admin.js';
import { type ClusterMetadata, isZeroId, metadataRequest, type ProtocolRequest } from './metadata-request.js';

/** Identifies a topic: changes when the topic is created again or the cluster's storage is wiped. */
export interface TopicIdentity {
  /** Kafka's cluster ID, assigned when its storage was formatted. */
  readonly clusterId: string;
  /** Kafka's topic ID (KIP-516), assigned when the topic was created; in PostgreSQL's form of a uuid. */
  readonly topicId: string;
}

const CREATE_CLUSTER = 'private:Kafka:createCluster';
const METADATA_MAX_AGE_MS = 60_000;
/** Kafka's names of the errors of a topic; see https://kafka.apache.org/43/design/protocol/#protocol_error_codes. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  5: 'LEADER_NOT_AVAILABLE',
  17: 'INVALID_TOPIC_EXCEPTION',
  29: 'TOPIC_AUTHORIZATION_FAILED',
};

/** Kafka did not return the identity of a topic. */
export class TopicIdentityError extends Error {
  override readonly name = 'TopicIdentityError';
  constructor(
    topic: string,
    /** Kafka's name of the error. */
    readonly type: string,
  ) {
    super(`Kafka returned no topic ID for ${topic}: ${type}.`);
  }
}

/**
 * Reads the identities of topics, by plain name, over a connection of its own with the settings of the client.
 * @throws TopicIdentityError when a topic does not exist, after about four seconds, or must not be described
 */
export async function topicIdentities(
  kafka: KafkaHandle,
  topics: readonly string[],
): Promise<ReadonlyMap<string, TopicIdentity>> {
  const cluster = createCluster(kafka.client);
  try {
    await cluster.connect();
    return await retryUntilKnown(async () => {
      const broker = await cluster.brokerPool.findConnectedBroker();
      const names = topics.map((topic) => kafka.names.topic(topic));
      return identitiesIn(await broker.connectionPool.send(metadataRequest(names)), kafka, topics);
    });
  } finally {
    await cluster.disconnect();
  }
}

/** Reads the identity of one topic, like `topicIdentities`. */
export async function topicIdentity(kafka: KafkaHandle, topic: string): Promise<TopicIdentity> {
  const identity = (await topicIdentities(kafka, [topic])).get(topic);
  if (identity === undefined) throw new TopicIdentityError(topic, 'no answer');
  return identity;
}

function identitiesIn(
  { clusterId, topics: found }: ClusterMetadata,
  kafka: KafkaHandle,
  topics: readonly string[],
): ReadonlyMap<string, TopicIdentity> {
  const byName = new Map(found.map((one) => [one.name, one]));
  return new Map(
    topics.map((topic) => {
      const name = kafka.names.topic(topic);
      const { errorCode, topicId } = byName.get(name) ?? { errorCode: 3, topicId: '' };
      if (errorCode !== 0) throw new TopicIdentityError(name, ERROR_TYPES[errorCode] ?? `error ${errorCode}`);
      if (clusterId === undefined || isZeroId(topicId)) throw new TopicIdentityError(name, 'it has no ID');
      return [topic, { clusterId, topicId }] as const;
    }),
  );
}

/** The internals of kafkajs that we use: it has no public way to send other requests. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  readonly brokerPool: {
    findConnectedBroker(): Promise<{
      readonly connectionPool: { send<T>(request: ProtocolRequest<T>): Promise<T> };
    }>;
  };
}

type CreateCluster = (options: { metadataMaxAge: number; allowAutoTopicCreation: boolean }) => Cluster;

/** Creates a cluster as kafkajs' admin client does, with the TLS, SASL, socket and retry settings of the client. */
function createCluster(client: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(client).find(({ description }) => description === CREATE_CLUSTER);
  const create: unknown = symbol && Reflect.get(client, symbol);
  if (typeof create !== 'function') throw new Error(`kafkajs has no ${CREATE_CLUSTER} any more.`);
  return (create as CreateCluster)({ metadataMaxAge: METADATA_MAX_AGE_MS, allowAutoTopicCreation: false });
}
