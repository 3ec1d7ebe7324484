import { AsyncLocalStorage } from 'node:async_hooks';
import type { TopicMessages } from 'kafkajs';
import { within } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { PublishingNumbers } from '../metrics/publishing-numbers.js';
import { type OutgoingMessage, sizeOf, type WireMessage } from './outgoing-message.js';
import { ProducerLink } from './producer-link.js';
import { MessageTooLarge, NotAccepted, OutcomeUnknown } from './publish-errors.js';
import { Publisher, type PublishOptions } from './publisher.js';
import { WaitingLine } from './waiting-line.js';

/** Every buffer and wait of the producer. Milliseconds and bytes. */
export interface ProducerLimits {
  /** Messages waiting or at Kafka; past it `NotAccepted`. */
  readonly inFlight: number;
  readonly deadlineMs: number;
  /** Kafka out of reach for longer than this: `NotAccepted` at once, until it is back. */
  readonly refuseAfterMs: number;
  readonly messageBytes: number;
  readonly batchMessages: number;
  readonly batchBytes: number;
  /** Requests at the broker at one time. */
  readonly requests: number;
}

/** The limits unless told. A batch stays below the mebibyte that Kafka takes; three requests keep a broker busy. */
export const PRODUCER_LIMITS: ProducerLimits = {
  inFlight: 2_000,
  deadlineMs: 5_000,
  refuseAfterMs: 10_000,
  messageBytes: 256 * 1024,
  batchMessages: 500,
  batchBytes: 512 * 1024,
  requests: 3,
};

/** One message, from being handed over to its answer. */
interface Entry {
  readonly message: WireMessage;
  readonly bytes: number;
  /** By the process's own clock; milliseconds. */
  readonly begun: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  answered: boolean;
}

/**
 * Publishes in batches that time themselves: while a request is at the broker the next batch gathers, and leaves when one
 * is confirmed. There is no timer to tune: alone a message leaves at once, under load batches grow by themselves.
 */
export class SelfClockedProducer extends Publisher {
  private readonly limits: ProducerLimits;
  private readonly line = new WaitingLine<Entry>();
  private readonly link: ProducerLink;
  private readonly numbers: PublishingNumbers | undefined;
  /** Work here belongs to no one request, so it must not run in the context of whichever came first. */
  private readonly outside = AsyncLocalStorage.snapshot();
  private inFlight = 0;
  private requests = 0;
  private scheduled = false;
  private closed = false;
  private idle: (() => void) | undefined;

  constructor(
    private readonly kafka: KafkaHandle,
    limits: Partial<ProducerLimits> = {},
  ) {
    super();
    this.limits = { ...PRODUCER_LIMITS, ...limits };
    this.link = new ProducerLink(kafka, () => this.schedule());
    const state = () => ({ inFlight: this.inFlight, connected: this.connected });
    this.numbers = kafka.metrics && new PublishingNumbers(kafka.metrics, state);
  }

  /** Whether Kafka is in reach; for health. */
  get connected(): boolean {
    return this.link.isOpen;
  }

  /** Starts connecting before the first message comes. */
  open(): void {
    this.outside(() => this.link.open());
  }

  publish(message: OutgoingMessage, options: PublishOptions = {}): Promise<void> {
    return this.forward(message, options);
  }

  /** As `publish`, for a message that was not made here and must stay as it is, byte for byte. */
  forward(message: WireMessage, { deadlineMs = this.limits.deadlineMs }: PublishOptions = {}): Promise<void> {
    const begun = performance.now();
    const bytes = sizeOf(message);
    const fault = this.impossible(bytes);
    if (fault !== undefined) {
      this.numbers?.failed(message.topic, begun, fault);
      return Promise.reject(fault);
    }
    if (!this.link.isOpen) this.open();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.expire(entry), deadlineMs);
      const entry: Entry = { message, bytes, begun, resolve, reject, timer, answered: false };
      this.line.add(entry);
      this.inFlight += 1;
      this.schedule();
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    if (this.inFlight > 0) {
      const empty = new Promise<void>((resolve) => {
        this.idle = resolve;
      });
      await within(this.limits.deadlineMs, empty).catch(() => {});
    }
    await this.link.close();
  }

  private impossible(bytes: number): Error | undefined {
    if (bytes > this.limits.messageBytes) return new MessageTooLarge(bytes, this.limits.messageBytes);
    if (this.closed) return new NotAccepted('closing');
    if (this.inFlight >= this.limits.inFlight) return new NotAccepted('full');
    return this.link.awayForMs > this.limits.refuseAfterMs ? new NotAccepted('away') : undefined;
  }

  private expire(entry: Entry): void {
    // At Kafka its slot stays taken until the send settles, for a send cannot be called back.
    if (!this.line.leave(entry)) this.fail(entry, new OutcomeUnknown());
    else {
      this.free(1);
      this.fail(entry, new NotAccepted('deadline'));
    }
  }

  private succeed(entry: Entry): void {
    if (!this.answer(entry)) return;
    this.numbers?.confirmed(entry.message.topic, entry.begun);
    entry.resolve();
  }

  private fail(entry: Entry, error: Error): void {
    if (!this.answer(entry)) return;
    this.numbers?.failed(entry.message.topic, entry.begun, error);
    entry.reject(error);
  }

  /** @returns false for one that has its answer already: only the first counts */
  private answer(entry: Entry): boolean {
    clearTimeout(entry.timer);
    const isFirst = !entry.answered;
    entry.answered = true;
    return isFirst;
  }

  /** After the events at hand, so that what comes in one breath leaves in one batch. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.outside(() =>
      setImmediate(() => {
        this.scheduled = false;
        this.pump();
      }),
    );
  }

  private pump(): void {
    const { batchMessages: messages, batchBytes: bytes } = this.limits;
    while (this.link.isOpen && this.line.length > 0 && this.requests < this.limits.requests) {
      void this.dispatch(this.line.take({ messages, bytes }));
    }
  }

  private async dispatch(batch: readonly Entry[]): Promise<void> {
    this.requests += 1;
    this.numbers?.sent(batch.length);
    try {
      await this.link.send(byTopic(batch, (topic) => this.kafka.names.topic(topic)));
      for (const entry of batch) this.succeed(entry);
    } catch (cause) {
      for (const entry of batch) this.fail(entry, new OutcomeUnknown({ cause }));
    } finally {
      this.requests -= 1;
      this.free(batch.length);
      this.schedule();
    }
  }

  private free(slots: number): void {
    this.inFlight -= slots;
    if (this.inFlight === 0) this.idle?.();
  }
}

function byTopic(batch: readonly Entry[], nameOf: (topic: string) => string): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { message } of batch) {
    const { topic, key, value, headers } = message;
    const there = topics.get(topic) ?? { topic: nameOf(topic), messages: [] };
    there.messages.push({ key, value, headers });
    topics.set(topic, there);
  }
  return [...topics.values()];
}
