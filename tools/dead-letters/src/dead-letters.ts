import { deadLetterTopic, type TopicName } from '@carbon/contracts';
import {
  createKafka,
  type KafkaHandle,
  type KafkaSettings,
  type OnRawMessage,
  type PartitionEnds,
  readMessages,
  SelfClockedProducer,
  topicEnds,
  topicEndsSince,
  type WireMessage,
  waitForKafka,
  withIdleTimeout,
} from '@carbon/messaging';
import type { KafkaMessage } from 'kafkajs';
import { kafkaFailure } from './kafka-failure.js';
import { type DeadLetter, letterOf, type Origin } from './letter/letter.js';
import type { Place } from './letter/place.js';

/** A restarted broker is back within this; a message that waits longer is given up. */
const SEND_DEADLINE_MS = 15_000;
/** Reading is given up when nothing has come for so long. */
const READ_PATIENCE_MS = 30_000;
/** As large as a letter can be; the broker refuses by itself what a topic does not take. */
const LARGEST_MESSAGE_BYTES = 2_000_000;

/** Which part of a topic's letters is read; all unless told. */
export interface Part {
  readonly since?: Date | undefined;
  readonly position?: bigint | undefined;
  /** The first position not to be read; the end as it is now unless told. */
  readonly until?: bigint | undefined;
}

type OnLetter = (letter: DeadLetter) => 'enough' | undefined | Promise<'enough' | undefined>;

/** The dead-letter topics and the topics before them. Throws `NoAnswer` or `CannotDo` where Kafka does not play along. */
export class DeadLetters implements AsyncDisposable {
  private readonly kafka: KafkaHandle;
  private producer: SelfClockedProducer | undefined;
  private reached: Promise<void> | undefined;

  /** @param wait how long a Kafka that does not answer yet is waited for, and who hears of it */
  constructor(
    private readonly settings: Pick<KafkaSettings, 'brokers' | 'topicPrefix' | 'ssl' | 'sasl'>,
    private readonly wait: { readonly withinMs: number; say(sentence: string): void },
  ) {
    this.kafka = createKafka({ ...settings, clientId: 'dead-letters' });
  }

  /** Hands over the letters of a topic, oldest first, each once, and keeps none. */
  async read(topic: TopicName, { since, position, until }: Part, onLetter: OnLetter): Promise<void> {
    const letters = deadLetterTopic(topic);
    const ends = await this.asked(() =>
      since === undefined ? topicEnds(this.kafka, letters) : topicEndsSince(this.kafka, letters, since),
    );
    const from = ends.map(({ partition, begin, end }) => ({
      partition,
      begin: most(begin, position ?? begin),
      end: least(end, until ?? end),
    }));
    await this.readRaw(letters, from, (_, raw) => onLetter(letterOf(topic, raw)));
  }

  /** The position the next letter of a topic will get. */
  async endOf(topic: TopicName): Promise<bigint> {
    const ends = await this.asked(() => topicEnds(this.kafka, deadLetterTopic(topic)));
    return ends.reduce((last, { end }) => most(last, end), 0n);
  }

  /** The letter that lies there; undefined when there is none, or not any more. */
  async find({ topic, position }: Place): Promise<DeadLetter | undefined> {
    const raw = await this.messageAt(deadLetterTopic(topic), { partition: 0, position });
    return raw && letterOf(topic, raw);
  }

  /** The message at a place of a topic; undefined when retention or compaction has let go of it. */
  async messageAt(topic: string, { partition, position }: Origin): Promise<KafkaMessage | undefined> {
    const ends = await this.asked(() => topicEnds(this.kafka, topic));
    const isThere = ends.some((one) => one.partition === partition && one.begin <= position && position < one.end);
    if (!isThere) return undefined;
    const only = (one: PartitionEnds) =>
      one.partition === partition ? { partition, begin: position, end: position + 1n } : { ...one, begin: one.end };
    let found: KafkaMessage | undefined;
    await this.readRaw(topic, ends.map(only), (_, raw) => {
      if (BigInt(raw.offset) === position) found = raw;
      return 'enough';
    });
    return found;
  }

  /** Hands over every message of a topic as it is now, those of one partition in order. */
  async readTopic(topic: TopicName, onMessage: (partition: number, raw: KafkaMessage) => void): Promise<void> {
    const ends = await this.asked(() => topicEnds(this.kafka, topic));
    await this.readRaw(topic, ends, (partition, raw) => {
      onMessage(partition, raw);
      return undefined;
    });
  }

  /**
   * Resolves when Kafka has confirmed the message.
   * @throws what the publisher throws; `failure` makes words of it
   */
  async send(message: WireMessage): Promise<void> {
    // Made only now: a publisher that has not reached Kafka for a while, as during a long reading, takes nothing.
    const limits = { deadlineMs: SEND_DEADLINE_MS, messageBytes: LARGEST_MESSAGE_BYTES };
    this.producer ??= new SelfClockedProducer(this.kafka, limits);
    await this.producer.forward(message);
  }

  /** An error of Kafka's in words for a person. */
  failure(error: unknown): unknown {
    return kafkaFailure(error, this.settings.brokers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.producer?.close();
  }

  private async readRaw(topic: string, from: readonly PartitionEnds[], onMessage: OnRawMessage): Promise<void> {
    await this.asked(() =>
      withIdleTimeout(READ_PATIENCE_MS, (heard) =>
        readMessages(this.kafka, topic, from, (partition, raw) => {
          heard();
          return onMessage(partition, raw);
        }),
      ),
    );
  }

  private async asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.reached ??= waitForKafka(this.kafka, this.wait.withinMs, this.wait.say);
      await this.reached;
      return await work();
    } catch (error) {
      throw this.failure(error);
    }
  }
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
