import { AsyncLocalStorage } from 'node:async_hooks';
import { type Backoff, backoffMs, settledWithin, sleep } from '../backoff.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { ProducerMetrics } from '../metrics.js';
import { ProducerConnection } from './producer-connection.js';
import {
  isPermanent,
  MessageTooLarge,
  NotPublished,
  type NotPublishedReason,
  type OutgoingMessage,
  type PublishOptions,
  PublishOutcomeUnknown,
  type RecordPosition,
  type WireMessage,
} from './publisher.js';
import { ProducerRecord, SendQueue, sizeOf } from './send-queue.js';

/** Every buffer and timeout of the producer. Milliseconds and bytes. */
export interface ProducerLimits {
  /** Messages that are queued or unconfirmed; further ones are rejected with `NotPublished`. */
  readonly inFlight: number;
  readonly deadlineMs: number;
  /** When Kafka has been unreachable for longer, messages are rejected with `NotPublished` at once, until it is reachable again. */
  readonly refuseAfterMs: number;
  readonly messageBytes: number;
  readonly batchMessages: number;
  readonly batchBytes: number;
  /**
   * Batches in flight. A batch occupies its slot until all of it is confirmed or past its deadline: with 1, no message
   * overtakes another with the same key.
   */
  readonly requests: number;
}

/** The default limits. A batch stays below the mebibyte that Kafka accepts; three requests keep a broker busy. */
export const PRODUCER_LIMITS: ProducerLimits = {
  inFlight: 2_000,
  deadlineMs: 5_000,
  refuseAfterMs: 10_000,
  messageBytes: 256 * 1024,
  batchMessages: 500,
  batchBytes: 512 * 1024,
  requests: 3,
};

/** Between two attempts to send a message, within its deadline. */
const RESEND_BACKOFF: Backoff = { initialMs: 100, maxMs: 1_000 };

/** One message from `publish` until its promise settles. */
interface Entry {
  readonly message: WireMessage;
  /** Full name. */
  readonly topic: string;
  record: ProducerRecord;
  readonly bytes: number;
  /** `performance.now()` at `publish`. */
  readonly begunMs: number;
  readonly resolve: (position: RecordPosition) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  settled: boolean;
}

/**
 * Publishes in self-clocked batches: while all requests are in flight, the next batch grows, and it is sent when one of them is
 * confirmed. There is no linger time to tune: a single message is sent at once, and under load batches grow. A message that Kafka does
 * not confirm is sent again until Kafka confirms or permanently refuses it, or until its deadline (docs/decisions/0025).
 */
export class SelfClockedProducer {
  private readonly limits: ProducerLimits;
  private readonly queue = new SendQueue<Entry>();
  private readonly connection: ProducerConnection;
  private readonly metrics: ProducerMetrics | undefined;
  /** Sending belongs to no single request, so it must not run in the async context of the request that happened to start it. */
  private readonly outsideContext = AsyncLocalStorage.snapshot();
  private inFlight = 0;
  private requests = 0;
  private scheduled = false;
  private closed = false;
  private onIdle: (() => void) | undefined;

  constructor(
    private readonly kafka: KafkaHandle,
    limits: Partial<ProducerLimits> = {},
  ) {
    this.limits = { ...PRODUCER_LIMITS, ...limits };
    this.connection = new ProducerConnection(kafka, () => this.schedule());
    const state = () => ({ inFlight: this.inFlight, connected: this.connected });
    this.metrics = kafka.metrics && new ProducerMetrics(kafka.metrics, state);
  }

  /** Whether the producer is connected; for health. */
  get connected(): boolean {
    return this.connection.isOpen;
  }

  /** Starts connecting before the first message. */
  open(): void {
    this.outsideContext(() => this.connection.open());
  }

  /**
   * Resolves when Kafka has confirmed the message. Messages with one key keep their order only when each is awaited before the
   * next, or when the producer sends one request at a time (`ProducerLimits.requests`). A message may be appended more than
   * once; consumers recognize duplicates by their IDs.
   * @throws NotPublished or MessageTooLarge: nothing was and nothing will be sent
   * @throws PublishOutcomeUnknown sent, but not confirmed in time; the message may be appended, or still be
   */
  publish(message: OutgoingMessage, options: PublishOptions = {}): Promise<RecordPosition> {
    return this.forward(message, options);
  }

  /** Publishes a message that must stay as it is, byte for byte. */
  forward(message: WireMessage, { deadlineMs = this.limits.deadlineMs }: PublishOptions = {}): Promise<RecordPosition> {
    const begunMs = performance.now();
    const bytes = sizeOf(message);
    const rejection = this.rejectionOf(bytes);
    if (rejection !== undefined) {
      this.metrics?.settled(message.topic, begunMs, rejection);
      return Promise.reject(rejection);
    }
    if (!this.connection.isOpen) this.open();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.expire(entry), deadlineMs);
      const topic = this.kafka.names.topic(message.topic);
      const record = new ProducerRecord(message, begunMs + deadlineMs);
      const entry: Entry = { message, topic, record, bytes, begunMs, resolve, reject, timer, settled: false };
      this.queue.add(entry);
      this.inFlight += 1;
      this.schedule();
    });
  }

  /** Accepts no more messages, waits for those in flight (bounded), and disconnects. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    if (this.inFlight > 0) {
      const idle = new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
      await settledWithin(this.limits.deadlineMs, idle);
    }
    await this.connection.close();
  }

  private rejectionOf(bytes: number): Error | undefined {
    if (bytes > this.limits.messageBytes) return new MessageTooLarge(bytes, this.limits.messageBytes);
    if (this.closed) return new NotPublished('closing');
    if (this.inFlight >= this.limits.inFlight) return new NotPublished('full');
    return this.connection.unreachableForMs > this.limits.refuseAfterMs ? new NotPublished('unreachable') : undefined;
  }

  private expire(entry: Entry): void {
    // Once it has left the queue it stays in flight until the send settles, because a send cannot be cancelled.
    if (this.queue.remove(entry)) this.release(1);
    this.giveUp(entry, 'deadline');
  }

  /** Rejects with `NotPublished` if no request with the message was written, else with `PublishOutcomeUnknown`. */
  private giveUp(entry: Entry, reason: NotPublishedReason, options?: ErrorOptions): void {
    const isUnsent = entry.record.withdraw();
    this.settle(entry, isUnsent ? new NotPublished(reason, options) : new PublishOutcomeUnknown(options));
  }

  /** Settles the promise of a message. Only the first outcome counts. */
  private settle(entry: Entry, outcome: RecordPosition | Error): void {
    clearTimeout(entry.timer);
    if (entry.settled) return;
    entry.settled = true;
    const error = outcome instanceof Error ? outcome : undefined;
    this.metrics?.settled(entry.message.topic, entry.begunMs, error);
    if (outcome instanceof Error) entry.reject(outcome);
    else entry.resolve(outcome);
  }

  /** Runs after the current events, so that messages of one tick leave in one batch. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.outsideContext(() =>
      setImmediate(() => {
        this.scheduled = false;
        this.pump();
      }),
    );
  }

  private pump(): void {
    const { batchMessages: messages, batchBytes: bytes } = this.limits;
    while (this.connection.isOpen && this.queue.length > 0 && this.requests < this.limits.requests) {
      void this.dispatch(this.queue.take({ messages, bytes }));
    }
  }

  private async dispatch(batch: readonly Entry[]): Promise<void> {
    this.requests += 1;
    this.metrics?.sent(batch.length);
    let rest = await this.attempt(this.connection.partitions.byLeader(batch));
    for (let failures = 1; rest.length > 0; failures += 1) {
      await sleep(backoffMs(failures, RESEND_BACKOFF));
      const unsettled = rest.filter(({ settled }) => !settled);
      this.release(rest.length - unsettled.length);
      if (unsettled.length < rest.length) this.connection.renew();
      for (const entry of unsettled) entry.record = entry.record.successor();
      // One call for each partition: kafkajs hides what it has confirmed behind the error of any other partition.
      rest = await this.attempt(this.connection.partitions.byPartition(unsettled));
    }
    this.requests -= 1;
    this.schedule();
  }

  /** Sends each group once. @returns the entries that Kafka neither confirmed nor refused, in order within a partition */
  private async attempt(groups: readonly Entry[][]): Promise<Entry[]> {
    const unconfirmed = await Promise.all(groups.map((group) => this.send(group)));
    return unconfirmed.flat();
  }

  private async send(group: readonly Entry[]): Promise<readonly Entry[]> {
    try {
      const positions = await this.connection.send(group);
      const unconfirmed = group.filter((entry, at) => !this.confirm(entry, positions[at]));
      this.release(group.length - unconfirmed.length);
      return unconfirmed;
    } catch (cause) {
      if (!isPermanent(cause) || !isOnePartition(group)) return group;
      for (const entry of group) this.giveUp(entry, 'refused', { cause });
      this.release(group.length);
      return [];
    }
  }

  /** @returns false for an entry that is not confirmed; its partition may be gone, so another is chosen */
  private confirm(entry: Entry, position: RecordPosition | undefined): boolean {
    if (position === undefined) entry.record.partition = undefined;
    else this.settle(entry, position);
    return position !== undefined;
  }

  private release(slots: number): void {
    this.inFlight -= slots;
    if (this.inFlight === 0) this.onIdle?.();
  }
}

function isOnePartition([first, ...others]: readonly Entry[]): boolean {
  const { topic, record } = first ?? {};
  return others.every((other) => other.topic === topic && other.record.partition === record?.partition);
}
