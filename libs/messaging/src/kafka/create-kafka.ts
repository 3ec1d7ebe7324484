import type { ConnectionOptions } from 'node:tls';
import type { Metrics } from '@carbon/observability';
import { type ISocketFactory, Kafka, logLevel, type Mechanism, type SASLOptions } from 'kafkajs';
import { logBridge, type MessagingLogger, SILENT } from './log.js';
import { noDelaySockets, patchKafkajs } from './patches.js';

/** Which cluster to connect to, and with which identity. */
export interface KafkaSettings {
  /** `host:port` of at least one broker. */
  readonly brokers: readonly string[];
  /** The client's name in the brokers' logs. */
  readonly clientId: string;
  /** Precedes the name of every topic and group; empty by default. */
  readonly topicPrefix?: string;
  /** Enables TLS. Read again for each connection. */
  readonly ssl?: ConnectionOptions | undefined;
  /** How to authenticate; not at all by default. */
  readonly sasl?: SASLOptions | Mechanism | undefined;
  readonly logger?: MessagingLogger;
  /** Where producers and consumers record metrics; nowhere by default. */
  readonly metrics?: Metrics;
  readonly sockets?: ISocketFactory;
  /** How long producers and consumers use metadata before they read it again, ms; a minute by default. */
  readonly metadataMaxAgeMs?: number;
}

/** A configured Kafka client without a connection; producers, consumers and admin clients are made from it. */
export interface KafkaHandle {
  readonly client: Kafka;
  readonly names: PrefixedNames;
  readonly logger: MessagingLogger;
  readonly metrics?: Metrics | undefined;
  /** How long producers and consumers use metadata, and so take to learn of new partitions, ms. */
  readonly metadataMaxAgeMs: number;
}

/** The default of {@link KafkaHandle.metadataMaxAgeMs}. */
export const METADATA_MAX_AGE_MS = 60_000;

/**
 * Translates between plain names, which the code uses, and names in Kafka, which have the prefix of the environment so that
 * several systems (or test files) can share a cluster.
 */
export class PrefixedNames {
  constructor(private readonly prefix: string) {}

  topic(plain: string): string {
    return this.prefix + plain;
  }

  group(plain: string): string {
    return this.prefix + plain;
  }

  /** Returns the plain name of a topic. */
  plain(topic: string): string {
    return topic.slice(this.prefix.length);
  }
}

/** Timeouts and retries of requests for which the producer and the consumer set nothing else. Milliseconds. */
export const CONNECTION = {
  connectionTimeout: 2_000,
  authenticationTimeout: 2_000,
  requestTimeout: 5_000,
  enforceRequestTimeout: true,
  retry: { initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 4 },
} as const;

/** Configures kafkajs; nothing else in the repository does. Opens no connection. */
export function createKafka(settings: KafkaSettings): KafkaHandle {
  const { brokers, clientId, topicPrefix = '', ssl, sasl, logger = SILENT, metrics } = settings;
  const { metadataMaxAgeMs = METADATA_MAX_AGE_MS } = settings;
  patchKafkajs();
  const client = new Kafka({
    ...CONNECTION,
    brokers: roundRobin(brokers),
    clientId,
    ...(ssl && { ssl }),
    ...(sasl && { sasl }),
    logLevel: logLevel.INFO,
    logCreator: logBridge(logger),
    socketFactory: settings.sockets ?? noDelaySockets,
  });
  return { client, names: new PrefixedNames(topicPrefix), logger, metrics, metadataMaxAgeMs };
}

/**
 * Names one broker at a time, so that each new client of the cluster starts with the next one; kafkajs always starts with the
 * first of a list.
 */
function roundRobin(brokers: readonly string[]): () => string[] {
  let next = Math.floor(Math.random() * brokers.length);
  return () => {
    next = (next + 1) % brokers.length;
    return brokers.slice(next, next + 1);
  };
}
