import { deadLetterTopic, type TopicName } from '@carbon/contracts';
import {
  isMessageTooLarge,
  type MessageContent,
  type OnRawMessage,
  type PartitionEnds,
  readMessagesForCommand,
  SelfClockedProducer,
  topicEnds,
  topicEndsSince,
  type WireMessage,
} from '@carbon/messaging';
import type { CommandContext } from '@carbon/terminal';
import type { KafkaMessage } from 'kafkajs';
import { CommandKafka } from '../kafka.js';
import { contentOf, type DeadLetter, type DeadLetterId, deadLetterOf, type Origin } from './dead-letter.js';

/** A restarted broker is back within this time; a message that waits longer fails. */
const SEND_DEADLINE_MS = 15_000;
/** The limit of consumers for dead letters. The broker rejects a message that is too large for its topic. */
const MAX_MESSAGE_BYTES = 2_000_000;
/** Dead letters are read in batches of this size, so that memory does not grow with their number. */
const BATCH_SIZE = 500;
const BATCH_BYTES = 8 * 1024 * 1024;

/** The part of a dead-letter topic to read; by default all of it. */
export interface ReadRange {
  readonly since?: Date | undefined;
  readonly position?: bigint | undefined;
  /** The first position not to read; by default the end as it is now. */
  readonly until?: bigint | undefined;
}

/** The original message of a dead letter, or why it is no longer available. */
export type Original = { readonly message: MessageContent } | { readonly gone: string };

type OnDeadLetter = (deadLetter: DeadLetter) => 'enough' | undefined | Promise<'enough' | undefined>;

/** The dead-letter topics and the topics of the originals. Methods throw `CommandError` when Kafka fails. */
export class DeadLetterAdmin implements AsyncDisposable {
  private readonly kafka: CommandKafka;
  private producer: SelfClockedProducer | undefined;

  /** @param say receives a sentence to print while Kafka does not answer */
  constructor(context: CommandContext, say: (sentence: string) => void) {
    const failures = {
      missingTopic: 'Kafka has no such topic. Check TOPIC_PREFIX; `npm run topics` creates the topics.',
    };
    this.kafka = new CommandKafka(context, 'dead-letters', failures, say);
  }

  /** Calls `onDeadLetter` with each dead letter of a topic once, oldest first, without collecting them. */
  async read(topic: TopicName, { since, position, until }: ReadRange, onDeadLetter: OnDeadLetter): Promise<void> {
    const name = deadLetterTopic(topic);
    const { handle } = this.kafka;
    const ends = await this.kafka.run(() =>
      since === undefined ? topicEnds(handle, name) : topicEndsSince(handle, name, since),
    );
    const range = ends.map(({ partition, begin, end }) => ({
      partition,
      begin: max(begin, position ?? begin),
      end: min(end, until ?? end),
    }));
    await this.readRange(name, range, (_, raw) => onDeadLetter(deadLetterOf(topic, raw)));
  }

  /**
   * Yields the selected dead letters of a topic in batches. Only those that exist at the start: a replayed message that fails
   * again must not be replayed without end.
   */
  async *batches(
    topic: TopicName,
    range: ReadRange,
    isSelected: (deadLetter: DeadLetter) => boolean,
  ): AsyncGenerator<DeadLetter[]> {
    const until = range.until ?? (await this.endOf(topic));
    for (let position = range.position ?? 0n; ; ) {
      const batch: DeadLetter[] = [];
      let bytes = 0;
      let next: bigint | undefined;
      await this.read(topic, { since: range.since, position, until }, (deadLetter) => {
        if (deadLetter.id.position >= until) return 'enough';
        next = deadLetter.id.position + 1n;
        if (!isSelected(deadLetter)) return undefined;
        batch.push(deadLetter);
        bytes += deadLetter.raw.value?.length ?? 0;
        return batch.length >= BATCH_SIZE || bytes >= BATCH_BYTES ? 'enough' : undefined;
      });
      if (batch.length > 0) yield batch;
      if (next === undefined || next >= until) return;
      position = next;
    }
  }

  /** Returns a dead letter; undefined when none has this id, or when it has been deleted. */
  async find({ topic, position }: DeadLetterId): Promise<DeadLetter | undefined> {
    const raw = await this.messageAt(deadLetterTopic(topic), { partition: 0, position });
    return raw && deadLetterOf(topic, raw);
  }

  /**
   * Returns the message as its consumer got it. When it was too large for the dead-letter topic, it is read from the original
   * topic, if it is still there.
   */
  async original(deadLetter: DeadLetter): Promise<Original> {
    const { cutBytes, origin, id } = deadLetter;
    if (cutBytes === 0) return { message: contentOf(deadLetter) };
    const cut = `${cutBytes} bytes were cut off, and`;
    if (origin === undefined) return { gone: `${cut} no header says where the original is` };
    const where = `${id.topic}/${origin.partition}:${origin.position}`;
    const message = await this.messageAt(id.topic, origin);
    if (message === undefined) return { gone: `${cut} the original at ${where} is no longer kept` };
    return isOriginal(deadLetter, message) ? { message } : { gone: `${cut} another message is at ${where} now` };
  }

  /** Calls `onMessage` with every message that is now in a topic; those of one partition in order. */
  async readTopic(topic: TopicName, onMessage: (partition: number, raw: KafkaMessage) => void): Promise<void> {
    const ends = await this.kafka.run(() => topicEnds(this.kafka.handle, topic));
    await this.readRange(topic, ends, (partition, raw) => {
      onMessage(partition, raw);
      return undefined;
    });
  }

  /** Resolves when Kafka has confirmed the message. @returns false when it is too large for its topic */
  async send(message: WireMessage): Promise<boolean> {
    // Created with the first message: a command that only reads needs no producer.
    const limits = { deadlineMs: SEND_DEADLINE_MS, messageBytes: MAX_MESSAGE_BYTES };
    this.producer ??= new SelfClockedProducer(this.kafka.handle, limits);
    const { producer } = this;
    return await this.kafka.run(async () => {
      try {
        await producer.forward(message);
        return true;
      } catch (error) {
        if (isMessageTooLarge(error)) return false;
        throw error;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.producer?.close();
  }

  private async endOf(topic: TopicName): Promise<bigint> {
    const ends = await this.kafka.run(() => topicEnds(this.kafka.handle, deadLetterTopic(topic)));
    return ends.reduce((last, { end }) => max(last, end), 0n);
  }

  /** Returns the message at a position; undefined when retention or compaction has removed it. */
  private async messageAt(topic: string, { partition, position }: Origin): Promise<KafkaMessage | undefined> {
    const ends = await this.kafka.run(() => topicEnds(this.kafka.handle, topic));
    const isKept = ends.some((one) => one.partition === partition && one.begin <= position && position < one.end);
    if (!isKept) return undefined;
    const only = (one: PartitionEnds) =>
      one.partition === partition ? { partition, begin: position, end: position + 1n } : { ...one, begin: one.end };
    let found: KafkaMessage | undefined;
    await this.readRange(topic, ends.map(only), (_, raw) => {
      if (BigInt(raw.offset) === position) found = raw;
      return 'enough';
    });
    return found;
  }

  private async readRange(topic: string, range: readonly PartitionEnds[], onMessage: OnRawMessage): Promise<void> {
    await this.kafka.run(() => readMessagesForCommand(this.kafka.handle, topic, range, onMessage));
  }
}

/** Whether a message is the original. The topic may have been re-created since, with other messages. */
function isOriginal({ raw, cutBytes }: DeadLetter, found: MessageContent): boolean {
  const rest = raw.value ?? Buffer.alloc(0);
  const value = found.value ?? Buffer.alloc(0);
  const isSameKey = raw.key === null || (found.key !== null && raw.key.equals(found.key));
  return isSameKey && value.length === rest.length + cutBytes && value.subarray(0, rest.length).equals(rest);
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
