import type { Producer, TopicMessages } from 'kafkajs';
import { type BackOff, pause, pauseAfter, within } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { partitioner } from './partition-of-key.js';

/** About five seconds in all: a broker that is restarted is ridden out, one that is gone is given up. */
const SEND_RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 8 } as const;
const RECONNECT: BackOff = { firstMs: 200, lastMs: 2_000 };
const LETTING_GO_MS = 2_000;
/** Longer than any of these takes, its own retries included, when it is going to succeed. */
const SEND_LIMIT_MS = 15_000;
const CONNECT_LIMIT_MS = 15_000;

/**
 * The way to Kafka that a publisher sends over: one kafkajs producer at a time, connected in the background, and replaced
 * by a new one when a send has failed for good, since kafkajs does not always find its way back
 * (https://github.com/tulios/kafkajs/issues/698, https://github.com/tulios/kafkajs/issues/919).
 */
export class ProducerLink {
  private current: Producer | undefined;
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

  /** Sends over the open way; a failure closes it and opens another. */
  async send(topicMessages: TopicMessages[]): Promise<void> {
    const producer = this.current;
    if (producer === undefined) throw new Error('The way to Kafka is not open.');
    // Never idempotent: kafkajs' idempotent producer acknowledges unwritten messages when sends overlap
    // (https://github.com/tulios/kafkajs/issues/1005). Doubles are told apart by the reader.
    const sent = producer.sendBatch({ acks: -1, timeout: 5_000, topicMessages });
    const others = this.sending.get(producer);
    others?.add(sent);
    try {
      await within(SEND_LIMIT_MS, sent);
    } catch (error) {
      this.replace(producer, error);
      throw error;
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
    await within(LETTING_GO_MS, gone).catch(() => {});
  }

  private replace(failed: Producer, error: unknown): void {
    if (this.current !== failed) return;
    this.kafka.logger.warn({ err: error }, 'sending to Kafka failed; taking a new producer');
    this.current = undefined;
    this.awaySince = performance.now();
    void this.retire(failed);
    this.open();
  }

  /** A send that is still being retried would connect a producer again, so it is let go only after its last one. */
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
      createPartitioner: partitioner,
      metadataMaxAge: 60_000,
      retry: SEND_RETRY,
    });
  }

  private accept(producer: Producer): void {
    if (this.closing.signal.aborted) {
      void producer.disconnect().catch(() => {});
      return;
    }
    this.sending.set(producer, new Set());
    this.current = producer;
    this.awaySince = undefined;
    this.onOpen();
  }
}
