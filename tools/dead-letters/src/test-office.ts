import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadLetterTopic, type TopicName } from '@carbon/contracts';
import {
  createKafka,
  createTopics,
  endsOf,
  type KafkaBatchServer,
  type KafkaHandle,
  type ReceivedBatch,
  type Rejected,
  readMessages,
  startConsumer,
} from '@carbon/messaging';
import { eventually, freshPrefix, type Ran, type Run, runToEnd, testEngines } from '@carbon/testing';
import kafkajs, { type Admin, type IHeaders, type KafkaMessage, type Message, type Producer } from 'kafkajs';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

type Handle = (batch: ReceivedBatch) => Promise<readonly Rejected[]>;

/** Topics of a test's own, consumers that give messages up, and the built command to look after these. */
export class TestOffice {
  readonly topicPrefix = freshPrefix();
  readonly brokers = testEngines().kafkaBrokers;
  readonly kafka: KafkaHandle;
  private readonly producer: Producer;
  private readonly consumers: KafkaBatchServer[] = [];

  private constructor(readonly folder: string) {
    this.kafka = this.client();
    this.producer = this.kafka.client.producer({
      allowAutoTopicCreation: false,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    });
  }

  static async create(): Promise<TestOffice> {
    const office = new TestOffice(await mkdtemp(join(tmpdir(), 'dead-letters-test-')));
    // A busy broker may not know yet of a topic it has just made.
    await eventually(() => createTopics(office.kafka), { within: 20_000 });
    await office.producer.connect();
    return office;
  }

  async remove(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.close()));
    await this.producer.disconnect();
    await rm(this.folder, { recursive: true });
  }

  /** Starts a consumer of a topic in a group of its own; one that takes everything unless told. */
  consume(topic: TopicName, handle: Handle = async () => [], groupId = `${topic}.reader`): KafkaBatchServer {
    const consumer = startConsumer(this.client(), topic, { groupId }, handle);
    this.consumers.push(consumer);
    return consumer;
  }

  async send(topic: string, ...messages: Message[]): Promise<void> {
    await this.producer.send({ topic: this.kafka.names.topic(topic), messages, acks: -1 });
  }

  /** Sends, and waits until all of them have become letters. Gives the letters there are then. */
  async giveUp(topic: TopicName, ...messages: Message[]): Promise<KafkaMessage[]> {
    const before = (await this.messagesOf(deadLetterTopic(topic))).length;
    await this.send(topic, ...messages);
    return eventually(
      async () => {
        const letters = await this.messagesOf(deadLetterTopic(topic));
        if (letters.length < before + messages.length) throw new Error(`${letters.length} letters`);
        return letters;
      },
      { within: 20_000 },
    );
  }

  /** Everything on a topic as it lies there. */
  async messagesOf(topic: string): Promise<KafkaMessage[]> {
    const found: KafkaMessage[] = [];
    await readMessages(this.kafka, topic, await endsOf(this.kafka, topic), (_, raw) => {
      found.push(raw);
      return undefined;
    });
    return found;
  }

  /** Lets go of everything on a topic, as retention does. */
  async forget(topic: string): Promise<void> {
    const name = this.kafka.names.topic(topic);
    await this.asAdmin(async (admin) => {
      const ends = await admin.fetchTopicOffsets(name);
      const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
      await admin.deleteTopicRecords({ topic: name, partitions });
    });
  }

  /** Changes one setting of a topic, and waits until the broker, which is told of it by the controller, goes by it. */
  async set(topic: string, name: string, value: string): Promise<void> {
    const place = { type: kafkajs.ConfigResourceTypes.TOPIC, name: this.kafka.names.topic(topic) };
    const resources = [{ ...place, configEntries: [{ name, value }] }];
    await this.asAdmin(async (admin) => {
      await admin.alterConfigs({ validateOnly: false, resources });
      await eventually(async () => {
        const told = await admin.describeConfigs({
          includeSynonyms: false,
          resources: [{ ...place, configNames: [name] }],
        });
        expect(told.resources[0]?.configEntries[0]?.configValue).toBe(value);
      });
    });
  }

  /** Writes a file into the folder, which is where commands run. */
  async file(content: string | Buffer, name = 'value.json'): Promise<string> {
    await writeFile(join(this.folder, name), content);
    return name;
  }

  /** Runs the command to its end. */
  run(args: readonly string[], run: Run = {}): Promise<Ran> {
    const environment = { KAFKA_BROKERS: this.brokers, TOPIC_PREFIX: this.topicPrefix, ...run.environment };
    return runToEnd(process.execPath, [CLI, ...args], { cwd: this.folder, ...run, environment });
  }

  private async asAdmin(work: (admin: Admin) => Promise<unknown>): Promise<void> {
    const admin = this.kafka.client.admin();
    await admin.connect();
    try {
      await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  private client(): KafkaHandle {
    return createKafka({ brokers: this.brokers.split(','), clientId: 'test', topicPrefix: this.topicPrefix });
  }
}

/** The headers of a message, as text. */
export function textHeaders(headers: IHeaders = {}): Record<string, unknown> {
  const text = (value: Buffer | string | undefined) => value?.toString();
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(text) : text(value)]),
  );
}
