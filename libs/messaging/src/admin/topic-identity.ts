import type { Kafka } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { type ClusterMetadata, isZeroId, metadataRequest, type ProtocolRequest } from './metadata-request.js';
import { onceKnown } from './with-admin.js';

/** Which topic a name stands for: another one once the topic was created anew, or the cluster's storage was wiped. */
export interface TopicIdentity {
  /** Kafka's cluster id, made when its storage was formatted. */
  readonly clusterId: string;
  /** Kafka's topic id (KIP-516), made when the topic was created; as PostgreSQL prints a uuid. */
  readonly topicId: string;
}

const CREATE_CLUSTER = 'private:Kafka:createCluster';
const METADATA_MAX_AGE_MS = 60_000;
/** What Kafka calls the errors that it can answer for a topic; see https://kafka.apache.org/43/design/protocol/#protocol_error_codes. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  5: 'LEADER_NOT_AVAILABLE',
  17: 'INVALID_TOPIC_EXCEPTION',
  29: 'TOPIC_AUTHORIZATION_FAILED',
};

/** Kafka does not tell the identity of a topic. */
export class TopicIdentityError extends Error {
  override readonly name = 'TopicIdentityError';
  constructor(
    topic: string,
    /** Kafka's name of the error. */
    readonly type: string,
  ) {
    super(`Kafka does not tell which topic ${topic} is: ${type}.`);
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
    return await onceKnown(async () => {
      const broker = await cluster.brokerPool.findConnectedBroker();
      const names = topics.map((topic) => kafka.names.topic(topic));
      return identitiesIn(await broker.connectionPool.send(metadataRequest(names)), kafka, topics);
    });
  } finally {
    await cluster.disconnect();
  }
}

/** As `topicIdentities`, of one topic. */
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
      if (clusterId === undefined || isZeroId(topicId)) throw new TopicIdentityError(name, 'it has no id');
      return [topic, { clusterId, topicId }] as const;
    }),
  );
}

/** What is used of kafkajs' internals: it offers no way to send a request of one's own. */
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

/** A cluster as kafkajs' own admin client makes one: with the TLS, SASL, socket and retry settings of the client. */
function createCluster(client: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(client).find(({ description }) => description === CREATE_CLUSTER);
  const create: unknown = symbol && Reflect.get(client, symbol);
  if (typeof create !== 'function') throw new Error(`kafkajs has no ${CREATE_CLUSTER} any more.`);
  return (create as CreateCluster)({ metadataMaxAge: METADATA_MAX_AGE_MS, allowAutoTopicCreation: false });
}
