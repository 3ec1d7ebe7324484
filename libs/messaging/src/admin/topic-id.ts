import { createRequire } from 'node:module';
import type { Kafka } from 'kafkajs';
import { type KafkaHandle, METADATA_MAX_AGE_MS } from '../kafka/create-kafka.js';
import { retryUntilKnown } from './admin.js';

/** Identifies a topic: changes when the topic is created again or the cluster's storage is wiped. */
export interface TopicIdentity {
  /** Kafka's cluster ID, assigned when its storage was formatted. */
  readonly clusterId: string;
  /** Kafka's topic ID (KIP-516), assigned when the topic was created; in PostgreSQL's form of a uuid. */
  readonly topicId: string;
}

/** The internals of kafkajs that we use: it has no public way to send other requests. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  readonly brokerPool: {
    findConnectedBroker(): Promise<{
      readonly connectionPool: { send(request: ReturnType<typeof metadataRequest>): Promise<ClusterMetadata> };
    }>;
  };
}

type CreateCluster = (options: { metadataMaxAge: number; allowAutoTopicCreation: boolean }) => Cluster;

interface Encoder {
  readonly buffer: Buffer;
  writeBuffer(bytes: Buffer): Encoder;
  writeUVarInt(value: number): Encoder;
  writeUVarIntString(value: string): Encoder;
}

interface Decoder {
  readonly offset: number;
  forward(bytes: number): void;
  readInt16(): number;
  readBytes(length: number): Buffer;
  readUVarInt(): number;
  readUVarIntString(): string | null;
  readUVarIntArray<T>(element: () => T): T[] | null;
}

const require = createRequire(import.meta.url);
const KafkaEncoder: new () => Encoder = require('kafkajs/src/protocol/encoder.js');
const KafkaDecoder: new (bytes: Buffer) => Decoder = require('kafkajs/src/protocol/decoder.js');

const CREATE_CLUSTER = 'private:Kafka:createCluster';
/** The Metadata request: https://kafka.apache.org/43/design/protocol/#The_Messages_Metadata */
const API_KEY = 3;
/** The response has topic IDs since version 10; kafkajs stops at 6. A zero ID in the request looks a topic up by its name. */
const API_VERSION = 12;
const UUID_BYTES = 16;
/** The ID of a topic that was created before Kafka 2.8, or does not exist. */
const ZERO_ID = '00000000-0000-0000-0000-000000000000';
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
    /** Kafka's name of the error, or a description if it has none. */
    readonly type: string,
  ) {
    super(`Kafka returned no topic ID for ${topic}: ${type}`);
  }
}

/**
 * Reads the identities of topics, by plain name, over a connection of its own with the settings of the client.
 * @throws TopicIdentityError when a topic does not exist, after about four seconds, or when the user may not describe it
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
      const request = metadataRequest(topics.map((topic) => kafka.names.topic(topic)));
      const metadata = await broker.connectionPool.send(request);
      return new Map(topics.map((topic) => [topic, identityIn(metadata, kafka.names.topic(topic))]));
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

function identityIn({ clusterId, topics }: ClusterMetadata, name: string): TopicIdentity {
  const { errorCode, topicId } = topics.find((topic) => topic.name === name) ?? { errorCode: 3, topicId: ZERO_ID };
  if (errorCode !== 0) throw new TopicIdentityError(name, ERROR_TYPES[errorCode] ?? `error ${errorCode}`);
  if (clusterId === null || topicId === ZERO_ID) throw new TopicIdentityError(name, 'it has no ID');
  return { clusterId, topicId };
}

/** Creates a cluster as kafkajs' admin client does, with the TLS, SASL, socket and retry settings of the client. */
function createCluster(client: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(client).find(({ description }) => description === CREATE_CLUSTER);
  const create: unknown = symbol && Reflect.get(client, symbol);
  if (typeof create !== 'function') throw new Error(`kafkajs has no ${CREATE_CLUSTER} any more.`);
  return (create as CreateCluster)({ metadataMaxAge: METADATA_MAX_AGE_MS, allowAutoTopicCreation: false });
}

/** The Metadata response, as far as we read it. */
interface ClusterMetadata {
  readonly clusterId: string | null;
  readonly topics: readonly { readonly errorCode: number; readonly name: string | null; readonly topicId: string }[];
}

/** Builds the Metadata request for topics by full name, in the form that kafkajs sends. It creates no topic. */
export function metadataRequest(topics: readonly string[]) {
  const encode = async () => {
    const encoder = new KafkaEncoder().writeUVarInt(0).writeUVarInt(topics.length + 1);
    for (const topic of topics) encoder.writeBuffer(Buffer.alloc(UUID_BYTES)).writeUVarIntString(topic).writeUVarInt(0);
    // allow_auto_topic_creation and include_topic_authorized_operations are off; no tags.
    return encoder.writeBuffer(Buffer.of(0, 0, 0));
  };
  return {
    request: { apiKey: API_KEY, apiVersion: API_VERSION, apiName: 'Metadata', encode },
    response: {
      decode: async (payload: Buffer) => decodeMetadata(payload),
      parse: async (decoded: ClusterMetadata) => decoded,
    },
  };
}

/** Decodes the response after its correlation ID. @throws RangeError when it is cut off */
export function decodeMetadata(payload: Buffer): ClusterMetadata {
  const decoder = new KafkaDecoder(payload);
  skipTags(decoder);
  decoder.forward(4);
  decoder.readUVarIntArray(() => {
    decoder.forward(4);
    decoder.readUVarIntString();
    decoder.forward(4);
    decoder.readUVarIntString();
    skipTags(decoder);
  });
  const clusterId = decoder.readUVarIntString();
  decoder.forward(4);
  const topics = decoder.readUVarIntArray(() => decodeTopic(decoder)) ?? [];
  if (decoder.offset > payload.length) throw new RangeError('The Metadata response is cut off.');
  return { clusterId, topics };
}

function decodeTopic(decoder: Decoder): ClusterMetadata['topics'][number] {
  const errorCode = decoder.readInt16();
  const name = decoder.readUVarIntString();
  const hex = decoder.readBytes(UUID_BYTES).toString('hex');
  decoder.forward(1);
  decoder.readUVarIntArray(() => {
    decoder.forward(2 + 4 + 4 + 4);
    for (let list = 0; list < 3; list += 1) decoder.readUVarIntArray(() => decoder.forward(4));
    skipTags(decoder);
  });
  decoder.forward(4);
  skipTags(decoder);
  return { errorCode, name, topicId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

/** Skips tagged fields. kafkajs' `readTaggedFields` skips one byte too few of each: it treats their size as size + 1. */
function skipTags(decoder: Decoder): void {
  for (let left = decoder.readUVarInt(); left > 0; left -= 1) {
    decoder.readUVarInt();
    decoder.forward(decoder.readUVarInt());
  }
}
