import { SHUTDOWN_PHASES } from '@carbon/observability';
import type { Producer, RecordMetadata, TopicMessages } from 'kafkajs';
import { type Backoff, backoffMs, settledWithin, sleep, withTimeout } from '../backoff.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { PartitionLeaders, type TopicRecord } from './partitions.js';
import type { RecordPosition } from './publisher.js';

/** How long the broker may wait for other replicas before it responds. */
const ACK_TIMEOUT_MS = 5_000;
const RECONNECT_BACKOFF: Backoff = { initialMs: 200, maxMs: 2_000 };
/** `renew` keeps a producer that is younger. */
const MIN_LIFETIME_MS = 5_000;
/** Longer than a send or a connection takes when it succeeds, including kafkajs' retries of connections and metadata. */
const SEND_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 15_000;

/**
 * Keeps one kafkajs producer connected in the background. A failed send leaves it in place, because kafkajs then refreshes its
 * metadata. It is replaced when messages could not be sent within their deadlines, since kafkajs does not always recover
 * (https://github.com/tulios/kafkajs/issues/698, https://github.com/tulios/kafkajs/issues/919).
 */
export class ProducerConnection {
  /** The leaders in kafkajs' metadata. */
  readonly partitions = new PartitionLeaders();
  private current: Producer | undefined;
  private openSince = 0;
  private unreachableSince: number | undefined;
  private readonly closing = new AbortController();
  private readonly sending = new Map<Producer, Set<Promise<unknown>>>();
  private connecting: Promise<void> | undefined;

  /** @param onOpen called each time the connection is established */
  constructor(
    private readonly kafka: KafkaHandle,
    private readonly onOpen: () => void,
  ) {}

  get isOpen(): boolean {
    return this.current !== undefined;
  }

  /** Milliseconds since the connection was lost, or since the first `open`; 0 while connected, and before. */
  get unreachableForMs(): number {
    return this.unreachableSince === undefined ? 0 : performance.now() - this.unreachableSince;
  }

  /** Connects in the background, retrying without end. A second call changes nothing. */
  open(): void {
    if (this.connecting !== undefined || this.isOpen || this.closing.signal.aborted) return;
    this.unreachableSince ??= performance.now();
    this.connecting = this.connect().finally(() => {
      this.connecting = undefined;
    });
  }

  /** Sends records once. @returns where each was appended, or undefined if Kafka did not confirm it. @throws what kafkajs throws */
  async send(records: readonly TopicRecord[]): Promise<(RecordPosition | undefined)[]> {
    const producer = this.current;
    if (producer === undefined) throw new Error('The producer is not connected.');
    // Never idempotent: kafkajs' idempotent producer confirms messages it did not write when sends overlap
    // (https://github.com/tulios/kafkajs/issues/1005). Consumers recognize duplicates.
    const batch = { acks: -1, timeout: ACK_TIMEOUT_MS, topicMessages: topicMessages(records) };
    const sent = producer.sendBatch(batch);
    const inFlight = this.sending.get(producer);
    inFlight?.add(sent);
    // Also after the timeout: a producer is disconnected only when its sends have ended, or after as long again.
    void sent.catch(() => {}).finally(() => inFlight?.delete(sent));
    return recordPositions(records, await withTimeout(SEND_TIMEOUT_MS, sent));
  }

  /** Disconnects, in bounded time. */
  async close(): Promise<void> {
    this.closing.abort();
    const producer = this.current;
    this.current = undefined;
    const disconnected = Promise.allSettled([this.connecting, producer?.disconnect()]);
    await settledWithin(SHUTDOWN_PHASES.disconnectMs, disconnected);
  }

  /** Replaces the producer, unless it is new. Called when messages could not be sent in time. */
  renew(): void {
    const producer = this.current;
    if (producer === undefined || performance.now() - this.openSince < MIN_LIFETIME_MS) return;
    this.kafka.logger.warn({}, 'messages could not be sent to Kafka in time; replacing the producer');
    this.current = undefined;
    this.unreachableSince = performance.now();
    void this.disconnectWhenIdle(producer);
    this.open();
  }

  /** A send in progress would connect a producer again, so it is disconnected only after its last send. */
  private async disconnectWhenIdle(producer: Producer): Promise<void> {
    await settledWithin(SEND_TIMEOUT_MS, Promise.allSettled(this.sending.get(producer) ?? []));
    this.sending.delete(producer);
    await producer.disconnect().catch(() => {});
  }

  private async connect(): Promise<void> {
    for (let failures = 1; !this.closing.signal.aborted; failures += 1) {
      const producer = this.create();
      try {
        await withTimeout(CONNECT_TIMEOUT_MS, producer.connect());
        this.accept(producer);
        return;
      } catch (error) {
        this.kafka.logger.warn({ err: error, attempts: failures }, 'the producer cannot connect to Kafka');
        void producer.disconnect().catch(() => {});
        await sleep(backoffMs(failures, RECONNECT_BACKOFF), this.closing.signal);
      }
    }
  }

  private create(): Producer {
    return this.kafka.client.producer({
      idempotent: false,
      allowAutoTopicCreation: false,
      createPartitioner: this.partitions.partitioner,
      metadataMaxAge: this.kafka.metadataMaxAgeMs,
      // kafkajs' retries leave messages out and confirm them (docs/decisions/0025): the producer sends again itself.
      retry: { retries: 0 },
    });
  }

  private accept(producer: Producer): void {
    if (this.closing.signal.aborted) {
      void producer.disconnect().catch(() => {});
      return;
    }
    this.sending.set(producer, new Set());
    this.current = producer;
    this.openSince = performance.now();
    this.unreachableSince = undefined;
    this.onOpen();
  }
}

function topicMessages(records: readonly TopicRecord[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, record } of records) {
    const known = topics.get(topic);
    if (known === undefined) topics.set(topic, { topic, messages: [record] });
    else known.messages.push(record);
  }
  return [...topics.values()];
}

/**
 * Returns where the broker appended each record, or undefined if the response has an error for its partition or omits it (kafkajs
 * resolves even then).
 */
function recordPositions(
  records: readonly TopicRecord[],
  response: readonly RecordMetadata[],
): (RecordPosition | undefined)[] {
  const next = new Map<string, Map<number, bigint>>();
  for (const { topicName, partition, errorCode, baseOffset } of response) {
    if (errorCode !== 0 || baseOffset === undefined) continue;
    const partitions = next.get(topicName) ?? new Map<number, bigint>();
    next.set(topicName, partitions.set(partition, BigInt(baseOffset)));
  }
  return records.map(({ topic, record: { partition } }) => {
    const partitions = next.get(topic);
    if (partition === undefined || partitions === undefined) return undefined;
    const position = partitions.get(partition);
    if (position === undefined) return undefined;
    partitions.set(partition, position + 1n);
    return { partition, position };
  });
}
