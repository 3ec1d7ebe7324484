import {
  createKafka,
  createTopics,
  type KafkaHandle,
  NotPublished,
  type OutgoingMessage,
  type PublishOptions,
  type RecordPosition,
  SelfClockedProducer,
} from '@carbon/messaging';
import { eventually, freshPrefix, testEngines } from '@carbon/testing';

/** Returns a client of the test Kafka for the topics of one prefix. */
export function kafkaAt(topicPrefix: string): KafkaHandle {
  return createKafka({ brokers: testEngines().kafkaBrokers.split(','), clientId: 'test', topicPrefix });
}

/** Returns a client with topics of its own. */
export async function freshKafka(): Promise<KafkaHandle> {
  const kafka = kafkaAt(freshPrefix());
  await eventually(() => createTopics(kafka));
  return kafka;
}

/** A real producer that can refuse or delay messages, and records what it published. */
export class WatchedProducer extends SelfClockedProducer {
  readonly published: OutgoingMessage[] = [];
  /** The options of each message, refused ones included. */
  readonly options: PublishOptions[] = [];
  refuse = (_: OutgoingMessage): boolean => false;
  hold: Promise<void> = Promise.resolve();

  override async publish(message: OutgoingMessage, options: PublishOptions = {}): Promise<RecordPosition> {
    this.options.push(options);
    if (this.refuse(message)) throw new NotPublished('unreachable');
    const published = await super.publish(message, options);
    this.published.push(message);
    await this.hold;
    return published;
  }

  /** The ids of the published events. */
  get eventIds(): (string | undefined)[] {
    return this.published.map(({ headers }) => headers.ce_id);
  }
}
