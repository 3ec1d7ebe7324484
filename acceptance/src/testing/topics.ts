import { type IHeaders, Kafka, logLevel } from 'kafkajs';
import { messageErrors } from './described.js';

export interface Message {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The value, parsed if it is JSON. */
  readonly value: unknown;
}

const headerStrings = (headers: IHeaders = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function parsed(value: Buffer | null): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return String(value);
  }
}

/** Reads and writes the topics of a system with kafkajs. */
export class Topics {
  private readonly kafka: Kafka;

  constructor(
    brokers: string,
    private readonly prefix: string,
  ) {
    this.kafka = new Kafka({ clientId: 'acceptance', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  }

  /** Returns every current message of a topic. */
  async read(topic: string): Promise<readonly Message[]> {
    const name = `${this.prefix}${topic}`;
    const admin = this.kafka.admin();
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(name).finally(() => admin.disconnect());
    const unreadPartitions = new Map(
      ends.filter(({ low, high }) => low !== high).map(({ partition, high }) => [partition, high]),
    );
    const messages: Message[] = [];
    if (unreadPartitions.size === 0) return messages;
    const consumer = this.kafka.consumer({ groupId: `${this.prefix}reader-${Math.random()}` });
    await consumer.connect();
    await consumer.subscribe({ topic: name, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const eachMessage = async ({ partition, message }: { partition: number; message: KafkaRecord }) => {
        const { key, value, headers, offset } = message;
        const end = Number(ends.find((one) => one.partition === partition)?.high);
        if (Number(offset) < end)
          messages.push({ key: String(key), headers: headerStrings(headers), value: parsed(value) });
        if (Number(offset) >= end - 1) unreadPartitions.delete(partition);
        if (unreadPartitions.size === 0) resolve();
      };
      consumer.run({ eachMessage }).catch(reject);
    });
    await consumer.disconnect();
    return messages;
  }

  /** Validates and returns the events of a topic about one offset, including duplicates. */
  async eventsOf(topic: string, id: string): Promise<readonly Message[]> {
    const events = (await this.read(topic)).filter(({ key }) => key === id);
    for (const { headers, value } of events) {
      const errors = messageErrors(headers.ce_type ?? '', headers, value);
      if (errors.length > 0) throw new Error(`${topic} ${id}: ${errors.join('; ')}`);
    }
    return events;
  }

  /** Publishes one message. */
  async write(topic: string, message: { key: string; value: string; headers: Record<string, string> }): Promise<void> {
    const producer = this.kafka.producer();
    await producer.connect();
    await producer.send({ topic: `${this.prefix}${topic}`, messages: [message] }).finally(() => producer.disconnect());
  }
}

interface KafkaRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: IHeaders;
  readonly offset: string;
}
