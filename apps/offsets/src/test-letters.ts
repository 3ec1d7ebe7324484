import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { deadLetterTopic, type OffsetRequestedV1, type TopicName } from '@carbon/contracts';
import { endsOf, type KafkaHandle, type OnRawMessage, readMessages } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import type { TestService } from './test-service.js';

/** The command that people use; built, not imported, for an app knows no tool. */
const CLI = resolve(import.meta.dirname, '../../../tools/dead-letters/dist/cli.js');

type Producer = ReturnType<KafkaHandle['client']['producer']>;
/** A message as it is written, wherever that is. */
export type Message = Parameters<Producer['send']>[0]['messages'][number];
/** A message as it lies there. */
export type RawMessage = Parameters<OnRawMessage>[1];

/** Where a message was put. */
export interface Put {
  readonly partition: number;
  readonly position: string;
}

/** A request as a message of `offset.requested`. */
export function requestMessage(request: OffsetRequestedV1, more: Partial<Message> = {}): Message {
  const headers = { ce_id: request.id, ce_type: 'offset.requested.v1', ce_subject: request.id, 'x-request-id': 'r-1' };
  return { key: request.id, value: JSON.stringify(request), headers, ...more };
}

/** Puts anything on the topics of a service, and looks after what it gives up. */
export class TestLetters {
  private readonly kafka: KafkaHandle;
  private readonly producer: Producer;

  private constructor(private readonly service: TestService) {
    this.kafka = service.kafka();
    this.producer = this.kafka.client.producer({ allowAutoTopicCreation: false });
  }

  static async of(service: TestService): Promise<TestLetters> {
    const letters = new TestLetters(service);
    await letters.producer.connect();
    return letters;
  }

  close(): Promise<void> {
    return this.producer.disconnect();
  }

  /** Puts messages on a topic, each where it says; tells where the first of them lies. */
  async put(topic: TopicName, ...messages: Message[]): Promise<Put> {
    const [first] = await this.producer.send({ topic: this.kafka.names.topic(topic), messages, acks: -1 });
    return { partition: first?.partition ?? -1, position: first?.baseOffset ?? '' };
  }

  /** Every letter of a topic, as it lies there. */
  async all(topic: TopicName = 'offset.requested'): Promise<RawMessage[]> {
    const found: RawMessage[] = [];
    const letters = deadLetterTopic(topic);
    await readMessages(this.kafka, letters, await endsOf(this.kafka, letters), (_, raw) => {
      found.push(raw);
      return undefined;
    });
    return found;
  }

  /** The letter of the message that was put there. */
  letterOf(put: Put, topic: TopicName = 'offset.requested'): Promise<RawMessage> {
    return eventually(async () => {
      const letter = (await this.all(topic)).find(
        ({ headers }) =>
          String(headers?.['x-partition']) === String(put.partition) &&
          String(headers?.['x-position']) === put.position,
      );
      if (letter === undefined) throw new Error(`no letter of ${put.partition}:${put.position}`);
      return letter;
    });
  }

  /** Runs the command to its end; gives its exit code. */
  replay(args: readonly string[], input = ''): Promise<number> {
    const { KAFKA_BROKERS, TOPIC_PREFIX } = this.service.environment;
    const env = { ...inheritedEnvironment(), KAFKA_BROKERS, TOPIC_PREFIX };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [CLI, 'replay', ...args], { env }, (error) =>
        resolve(error === null ? 0 : Number(error.code)),
      );
      child.stdin?.end(input);
    });
  }
}
