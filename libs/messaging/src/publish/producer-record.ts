import type { IHeaders, Message } from 'kafkajs';
import type { WireMessage } from './outgoing-message.js';

/**
 * A message as kafkajs takes it, which knows whether it may have left the process. kafkajs reads a message's timestamp when
 * it encodes a produce request for a connection that is open, and at no other time: the getter is called just before the
 * request is written. Brokers set timestamps of their own (`LogAppendTime`), so none is lost.
 */
export class ProducerRecord implements Message {
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: IHeaders;
  /** Chosen once: a message that is sent again goes to the same partition. */
  partition: number | undefined;
  #isWritten = false;
  #isWithdrawn = false;

  /** @param expiresAt it leaves the process no later, ms of `performance.now()` */
  constructor(
    { key, value, headers }: Omit<WireMessage, 'topic'>,
    private readonly expiresAt: number,
  ) {
    this.key = key;
    this.value = value;
    this.headers = headers;
    this.partition = undefined;
  }

  get timestamp(): undefined {
    // A process that slept comes here before the timer of the deadline.
    if (this.#isWithdrawn || performance.now() > this.expiresAt)
      throw new Error('The message was withdrawn, or its deadline has passed, before it was sent.');
    this.#isWritten = true;
    return undefined;
  }

  /** @returns whether no produce request ever held the message; none will from now on */
  withdraw(): boolean {
    this.#isWithdrawn = true;
    return !this.#isWritten;
  }

  /** The record for another attempt. This one is withdrawn, because kafkajs may still be busy with it. */
  successor(): ProducerRecord {
    const next = new ProducerRecord(this, this.expiresAt);
    next.partition = this.partition;
    next.#isWritten = !this.withdraw();
    return next;
  }
}
