import { SHUTDOWN_PHASES } from '@carbon/observability';
import type { Producer } from 'kafkajs';
import { type BackOff, pause, pauseAfter, within } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { KnownPartitions, type Outgoing } from './known-partitions.js';
import { type Published, publishedAt, topicMessages } from './published.js';

/** How long the broker may wait for the other replicas before it answers. */
const ACK_TIMEOUT_MS = 5_000;
const RECONNECT: BackOff = { firstMs: 200, lastMs: 2_000 };
/** A producer is given so long before it may be replaced. */
const SHORTEST_LIFE_MS = 5_000;
/** Longer than any of these takes, kafkajs' retries of connections and metadata included, when it succeeds. */
const SEND_LIMIT_MS = 15_000;
const CONNECT_LIMIT_MS = 15_000;

/**
 * The way to Kafka that a publisher sends over: one kafkajs producer at a time, connected in the background. A failed send
 * leaves the producer in place, because kafkajs refreshes its metadata then. It is replaced when messages could not be sent
 * within their deadlines, since kafkajs does not always find its way back
 * (https://github.com/tulios/kafkajs/issues/698, https://github.com/tulios/kafkajs/issues/919).
 */
export class ProducerLink {
  /** What the brokers lead, by kafkajs' metadata. */
  readonly partitions = new KnownPartitions();
  private current: Producer | undefined;
  private openSince = 0;
  private awaySince: number | undefined;
  private readonly closing = new AbortController();
  private readonly sending = new Map<Producer, Set<Promise<unknown>>>();
  private connecting: Promise<void> | undefined;

  /** @param onOpen called each time the way becomes free */
  constructor(
    private readonly kafka: KafkaHandle,
    private readonly onOpen: () => void,
  ) {}

  get isOpen(): boolean {
    return this.current !== undefined;
  }

  /** Milliseconds since the way was last free, or first wanted; 0 when it is free. */
  get awayForMs(): number {
    return this.awaySince === undefined ? 0 : performance.now() - this.awaySince;
  }

  /** Connects in the background, without end, with back-off. A second call changes nothing. */
  open(): void {
    if (this.connecting !== undefined || this.isOpen || this.closing.signal.aborted) return;
    this.awaySince ??= performance.now();
    this.connecting = this.connect().finally(() => {
      this.connecting = undefined;
    });
  }

  /** Sends once, and says of each message where it was written; undefined: not confirmed. Rejects when none is. */
  async send(messages: readonly Outgoing[]): Promise<(Published | undefined)[]> {
    const producer = this.current;
    if (producer === undefined) throw new Error('The way to Kafka is not open.');
    // Never idempotent: kafkajs' idempotent producer acknowledges unwritten messages when sends overlap
    // (https://github.com/tulios/kafkajs/issues/1005). Doubles are told apart by the reader.
    const batch = { acks: -1, timeout: ACK_TIMEOUT_MS, topicMessages: topicMessages(messages) };
    const sent = producer.sendBatch(batch);
    const others = this.sending.get(producer);
    others?.add(sent);
    try {
      return publishedAt(messages, await within(SEND_LIMIT_MS, sent));
    } finally {
      others?.delete(sent);
    }
  }

  /** Lets go, in bounded time. */
  async close(): Promise<void> {
    this.closing.abort();
    const producer = this.current;
    this.current = undefined;
    const gone = Promise.allSettled([this.connecting, producer?.disconnect()]);
    await within(SHUTDOWN_PHASES.disconnectMs, gone).catch(() => {});
  }

  /** Replaces the producer, unless it is new. For when messages could not be sent in time. */
  renew(): void {
    const producer = this.current;
    if (producer === undefined || performance.now() - this.openSince < SHORTEST_LIFE_MS) return;
    this.kafka.logger.warn({}, 'messages could not be sent to Kafka in time; taking a new producer');
    this.current = undefined;
    this.awaySince = performance.now();
    void this.retire(producer);
    this.open();
  }

  /** A send that is under way would connect a producer again, so it is let go only after its last one. */
  private async retire(producer: Producer): Promise<void> {
    const settled = Promise.allSettled(this.sending.get(producer) ?? []);
    await within(SEND_LIMIT_MS, settled).catch(() => {});
    this.sending.delete(producer);
    await producer.disconnect().catch(() => {});
  }

  private async connect(): Promise<void> {
    for (let failures = 1; !this.closing.signal.aborted; failures += 1) {
      const producer = this.create();
      try {
        await within(CONNECT_LIMIT_MS, producer.connect());
        this.accept(producer);
        return;
      } catch (error) {
        this.kafka.logger.warn({ err: error, attempts: failures }, 'Kafka is out of reach for publishing');
        void producer.disconnect().catch(() => {});
        await pause(pauseAfter(failures, RECONNECT), this.closing.signal);
      }
    }
  }

  private create(): Producer {
    return this.kafka.client.producer({
      idempotent: false,
      allowAutoTopicCreation: false,
      createPartitioner: this.partitions.partitioner,
      metadataMaxAge: 60_000,
      // When kafkajs sends again it leaves out messages and confirms them (docs/decisions/0025): we send again ourselves.
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
    this.awaySince = undefined;
    this.onOpen();
  }
}
