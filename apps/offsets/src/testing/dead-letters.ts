import { resolve } from 'node:path';
import { deadLetterTopic, type TopicName } from '@carbon/contracts';
import { type KafkaHandle, type OnRawMessage, readMessages, topicEnds } from '@carbon/messaging';
import { eventually, runToEnd } from '@carbon/testing';
import type { Message } from './events.js';
import type { TestService } from './service.js';

/** The built command, not an import, because an app may not import a tool. */
const CLI = resolve(import.meta.dirname, '../../../../tools/carbon/dist/carbon.js');

/** A message as Kafka stores it. */
export type RawMessage = Parameters<OnRawMessage>[1];

/** The position of a message. */
export interface Put {
  readonly partition: number;
  readonly position: string;
}

/** Writes any messages to the topics of a service, and reads its dead letters. */
export class DeadLetters {
  private readonly kafka: KafkaHandle;
  private readonly producer: ReturnType<KafkaHandle['client']['producer']>;

  private constructor(private readonly service: TestService) {
    this.kafka = service.kafka();
    this.producer = this.kafka.client.producer({ allowAutoTopicCreation: false });
  }

  static async of(service: TestService): Promise<DeadLetters> {
    const deadLetters = new DeadLetters(service);
    await deadLetters.producer.connect();
    return deadLetters;
  }

  close(): Promise<void> {
    return this.producer.disconnect();
  }

  /** Writes messages to one partition of a topic; returns the position of the first. */
  async put(topic: TopicName, ...messages: Message[]): Promise<Put> {
    const [first] = await this.producer.send({ topic: this.kafka.names.topic(topic), messages, acks: -1 });
    return { partition: first?.partition ?? -1, position: first?.baseOffset ?? '' };
  }

  /** Returns every dead letter of a topic. */
  async all(topic: TopicName = 'offset.requested'): Promise<RawMessage[]> {
    const found: RawMessage[] = [];
    const name = deadLetterTopic(topic);
    await readMessages(this.kafka, name, await topicEnds(this.kafka, name), (_, raw) => {
      found.push(raw);
      return undefined;
    });
    return found;
  }

  /** Returns the dead letter of the message at this position. */
  deadLetterOf({ partition, position }: Put, topic: TopicName = 'offset.requested'): Promise<RawMessage> {
    return eventually(async () => {
      const isOfIt = ({ headers }: RawMessage) =>
        String(headers?.['x-partition']) === String(partition) && String(headers?.['x-position']) === position;
      const deadLetter = (await this.all(topic)).find(isOfIt);
      if (deadLetter === undefined) throw new Error(`no dead letter of ${partition}:${position}`);
      return deadLetter;
    });
  }

  /** Runs the command `replay`; returns its exit code. */
  async replay(args: readonly string[], input = ''): Promise<number | null> {
    const command = [CLI, 'dead-letters', 'replay', ...args];
    const { environment } = this.service;
    return (await runToEnd(process.execPath, command, { environment, input })).code;
  }
}
