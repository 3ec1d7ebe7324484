import type { IHeaders, Message } from 'kafkajs';
import type { WireMessage } from './publisher.js';

/** Room for Kafka's framing of one record and of each header, rounded up. */
const RECORD_OVERHEAD = 64;
const HEADER_OVERHEAD = 8;

/** The limits of one batch. */
export interface BatchLimits {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * A first-in, first-out queue from which an entry can be removed; as a rule that is the oldest, found at once. A list and not a
 * set: a set through which thousands pass in a second keeps the garbage collector busy with all that were ever in it.
 */
export class SendQueue<T extends { readonly bytes: number }> {
  private readonly entries: T[] = [];

  get length(): number {
    return this.entries.length;
  }

  add(entry: T): void {
    this.entries.push(entry);
  }

  /** Removes an entry. @returns whether it was in the queue */
  remove(entry: T): boolean {
    const at = this.entries.indexOf(entry);
    if (at >= 0) this.entries.splice(at, 1);
    return at >= 0;
  }

  /** Takes the next batch: as many entries as the limits allow, at least one unless the queue is empty. */
  take(limits: BatchLimits): T[] {
    let [count, bytes] = [0, 0];
    for (const entry of this.entries) {
      bytes += entry.bytes;
      if (count > 0 && (count >= limits.messages || bytes > limits.bytes)) break;
      count += 1;
    }
    return this.entries.splice(0, count);
  }
}

/**
 * A message for kafkajs that knows whether it may have left the process. kafkajs reads a message's timestamp only when it encodes
 * a produce request for an open connection: the getter runs just before the request is written. Brokers set their own
 * timestamps (`LogAppendTime`), so none is lost.
 */
export class ProducerRecord implements Message {
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: IHeaders;
  /** Chosen once: a message that is sent again goes to the same partition. */
  partition: number | undefined;
  #isWritten = false;
  #isWithdrawn = false;

  /** @param expiresAt after this the message is not sent; `performance.now()` */
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
    // A process that was suspended comes here before the timer of the deadline.
    if (this.#isWithdrawn || performance.now() > this.expiresAt)
      throw new Error('The message was withdrawn, or its deadline has passed, before it was sent.');
    this.#isWritten = true;
    return undefined;
  }

  /** Keeps the message out of all further requests. @returns whether no request contained it */
  withdraw(): boolean {
    this.#isWithdrawn = true;
    return !this.#isWritten;
  }

  /** Returns the record for another attempt, and withdraws this one because kafkajs may still be using it. */
  successor(): ProducerRecord {
    const next = new ProducerRecord(this, this.expiresAt);
    next.partition = this.partition;
    next.#isWritten = !this.withdraw();
    return next;
  }
}

/** Returns the size of one message in a request, rounded up. Bytes. */
export function sizeOf({ key, value, headers }: WireMessage): number {
  let size = RECORD_OVERHEAD + lengthOf(key) + lengthOf(value);
  for (const name of Object.keys(headers)) {
    const values = headers[name];
    if (!Array.isArray(values)) size += HEADER_OVERHEAD + lengthOf(name) + lengthOf(values);
    else for (const one of values) size += HEADER_OVERHEAD + lengthOf(name) + lengthOf(one);
  }
  return size;
}

function lengthOf(part: string | Buffer | null | undefined): number {
  return part == null ? 0 : Buffer.byteLength(part);
}
