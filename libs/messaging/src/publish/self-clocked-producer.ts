import { AsyncLocalStorage } from 'node:async_hooks';
import { type BackOff, pause, pauseAfter, within } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { PublishingNumbers } from '../metrics/publishing-numbers.js';
import { type OutgoingMessage, sizeOf, type WireMessage } from './outgoing-message.js';
import { ProducerLink } from './producer-link.js';
import { ProducerRecord } from './producer-record.js';
import { isFinal, MessageTooLarge, NotAccepted, type NotAcceptedReason, OutcomeUnknown } from './publish-errors.js';
import type { Published } from './published.js';
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
  /**
   * Batches at Kafka at one time. A batch keeps its place until all of it is confirmed or past its deadline: with 1, no
   * message overtakes another under the same key.
   */
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

/** Between two attempts to send a message, within its deadline. */
const RESEND: BackOff = { firstMs: 100, lastMs: 1_000 };

/** One message, from being handed over to its answer. */
interface Entry {
  readonly message: WireMessage;
  /** Under its full name. */
  readonly topic: string;
  record: ProducerRecord;
  readonly bytes: number;
  /** By the process's own clock; milliseconds. */
  readonly begun: number;
  readonly resolve: (published: Published) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  answered: boolean;
}

/**
 * Publishes in batches that time themselves: while a request is at the broker the next batch gathers, and leaves when one
 * is confirmed. There is no timer to tune: alone a message leaves at once, under load batches grow by themselves. What Kafka
 * does not confirm is sent again until it does, or until the message's deadline (docs/decisions/0025).
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

  publish(message: OutgoingMessage, options: PublishOptions = {}): Promise<Published> {
    return this.forward(message, options);
  }

  /** As `publish`, for a message that was not made here and must stay as it is, byte for byte. */
  forward(message: WireMessage, { deadlineMs = this.limits.deadlineMs }: PublishOptions = {}): Promise<Published> {
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
      const [topic, record] = [this.kafka.names.topic(message.topic), new ProducerRecord(message, begun + deadlineMs)];
      const entry: Entry = { message, topic, record, bytes, begun, resolve, reject, timer, answered: false };
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
    // Once it has left the line its slot stays taken until the send settles, for a send cannot be called back.
    if (this.line.leave(entry)) this.free(1);
    this.giveUp(entry, 'deadline');
  }

  /** Says whether a request with the message was ever written. */
  private giveUp(entry: Entry, reason: NotAcceptedReason, options?: ErrorOptions): void {
    this.fail(entry, entry.record.withdraw() ? new NotAccepted(reason, options) : new OutcomeUnknown(options));
  }

  private succeed(entry: Entry, published: Published): void {
    if (!this.answer(entry)) return;
    this.numbers?.confirmed(entry.message.topic, entry.begun);
    entry.resolve(published);
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
    let rest = await this.attempt(this.link.partitions.byLeader(batch));
    for (let failures = 1; rest.length > 0; failures += 1) {
      await pause(pauseAfter(failures, RESEND));
      const inTime = rest.filter(({ answered }) => !answered);
      this.free(rest.length - inTime.length);
      if (inTime.length < rest.length) this.link.renew();
      for (const entry of inTime) entry.record = entry.record.successor();
      // One call for each partition: kafkajs hides what it has confirmed behind the error of any other partition.
      rest = await this.attempt(this.link.partitions.byPartition(inTime));
    }
    this.requests -= 1;
    this.schedule();
  }

  /** Sends each group once. Answers what is settled, and returns the others, in order within a partition. */
  private async attempt(groups: readonly Entry[][]): Promise<Entry[]> {
    const unconfirmed = await Promise.all(groups.map((group) => this.send(group)));
    return unconfirmed.flat();
  }

  private async send(group: readonly Entry[]): Promise<readonly Entry[]> {
    try {
      const published = await this.link.send(group);
      const unconfirmed = group.filter((entry, at) => !this.settle(entry, published[at]));
      this.free(group.length - unconfirmed.length);
      return unconfirmed;
    } catch (cause) {
      if (!isFinal(cause) || !isOnePartition(group)) return group;
      for (const entry of group) this.giveUp(entry, 'refused', { cause });
      this.free(group.length);
      return [];
    }
  }

  /** @returns false for an entry that is not confirmed; its partition may be gone, so another is chosen */
  private settle(entry: Entry, published: Published | undefined): boolean {
    if (published === undefined) entry.record.partition = undefined;
    else this.succeed(entry, published);
    return published !== undefined;
  }

  private free(slots: number): void {
    this.inFlight -= slots;
    if (this.inFlight === 0) this.idle?.();
  }
}

function isOnePartition([first, ...others]: readonly Entry[]): boolean {
  const { topic, record } = first ?? {};
  return others.every((other) => other.topic === topic && other.record.partition === record?.partition);
}
