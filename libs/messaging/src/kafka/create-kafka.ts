import type { ConnectionOptions } from 'node:tls';
import type { Metrics } from '@carbon/observability';
import { type ISocketFactory, Kafka, logLevel, type Mechanism, type SASLOptions } from 'kafkajs';
import { registerCodecs } from './codecs/register-codecs.js';
import { idleRequestQueues } from './idle-request-queues.js';
import { leanRecords } from './lean-records.js';
import { logBridge } from './log-bridge.js';
import { type MessagingLogger, SILENT } from './messaging-logger.js';
import { Names } from './names.js';
import { noDelaySockets } from './no-delay-sockets.js';
import { resetReceiveBuffers } from './reset-receive-buffers.js';

/** Which cluster, and as whom. */
export interface KafkaSettings {
  /** `host:port` of at least one broker. */
  readonly brokers: readonly string[];
  /** Who we are in the broker's log. */
  readonly clientId: string;
  /** Stands before every topic and group; none by default. */
  readonly topicPrefix?: string;
  /** TLS, when it is given. Read again for each connection. */
  readonly ssl?: ConnectionOptions | undefined;
  /** How to authenticate; not at all by default. */
  readonly sasl?: SASLOptions | Mechanism | undefined;
  readonly logger?: MessagingLogger;
  /** Where producers and consumers made from it count; nowhere by default. */
  readonly metrics?: Metrics;
  /** How connections are opened. */
  readonly sockets?: ISocketFactory;
}

/** One configured way to one cluster. Opens no connection by itself; producers, consumers and admins are made from it. */
export interface KafkaHandle {
  readonly client: Kafka;
  readonly names: Names;
  readonly logger: MessagingLogger;
  readonly metrics?: Metrics | undefined;
}

/** Time-outs and retries of everything that is not set by the producer or the consumer; all explicit, all bounded. */
export const CONNECTION = {
  connectionTimeout: 2_000,
  authenticationTimeout: 2_000,
  requestTimeout: 5_000,
  enforceRequestTimeout: true,
  retry: { initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 4 },
} as const;

/** The one place where kafkajs is configured. */
export function createKafka(settings: KafkaSettings): KafkaHandle {
  const {
    brokers,
    clientId,
    topicPrefix = '',
    ssl,
    sasl,
    logger = SILENT,
    metrics,
    sockets = noDelaySockets,
  } = settings;
  idleRequestQueues();
  leanRecords();
  resetReceiveBuffers();
  registerCodecs();
  const client = new Kafka({
    ...CONNECTION,
    brokers: inTurn(brokers),
    clientId,
    ...(ssl && { ssl }),
    ...(sasl && { sasl }),
    logLevel: logLevel.INFO,
    logCreator: logBridge(logger),
    socketFactory: sockets,
  });
  return { client, names: new Names(topicPrefix), logger, metrics };
}

/**
 * Names one broker after the other, so that each new client of the cluster begins with the next one. kafkajs begins with the
 * first of a list each time, and stays with it while it accepts connections and does not answer.
 */
function inTurn(brokers: readonly string[]): () => string[] {
  let turn = Math.floor(Math.random() * brokers.length);
  return () => {
    turn = (turn + 1) % brokers.length;
    return brokers.slice(turn, turn + 1);
  };
}
