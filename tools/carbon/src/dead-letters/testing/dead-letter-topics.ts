import { randomBytes } from 'node:crypto';
import { deadLetterTopic, fingerprint, gramsFromKg, Ids, type OffsetRequest, type TopicName } from '@carbon/contracts';
import {
  type Batch,
  type KafkaBatchServer,
  type RejectedMessage,
  readMessages,
  startConsumer,
  topicEnds,
  withAdmin,
} from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import kafkajs, { type IHeaders, type KafkaMessage, type Message } from 'kafkajs';
import { CommandTopics } from '../../testing/command-topics.js';

type Handle = (batch: Batch) => Promise<readonly RejectedMessage[]>;

/** Topics for one test, consumers that dead-letter messages, and the commands for dead letters. */
export class DeadLetterTopics extends CommandTopics {
  private readonly producer = this.kafka.client.producer({
    allowAutoTopicCreation: false,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  private readonly consumers: KafkaBatchServer[] = [];

  static async create(): Promise<DeadLetterTopics> {
    const topics = new DeadLetterTopics('dead-letters');
    await topics.createTopics();
    await topics.producer.connect();
    return topics;
  }

  override async remove(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.close()));
    await this.producer.disconnect();
    await super.remove();
  }

  /** Starts a consumer of a topic in a new group; by default it accepts every message. */
  consume(topic: TopicName, handle: Handle = async () => [], groupId = `${topic}.reader`): KafkaBatchServer {
    const consumer = startConsumer(this.client(), topic, { groupId }, handle);
    this.consumers.push(consumer);
    return consumer;
  }

  async send(topic: string, ...messages: Message[]): Promise<void> {
    await this.producer.send({ topic: this.kafka.names.topic(topic), messages, acks: -1 });
  }

  /** Sends messages, and waits until the consumer has dead-lettered each. Returns the places of their dead letters. */
  async giveUp(topic: TopicName, ...messages: Message[]): Promise<string[]> {
    const before = (await this.messagesOf(deadLetterTopic(topic))).length;
    await this.send(topic, ...messages);
    const deadLetters = await eventually(
      async () => {
        const found = (await this.messagesOf(deadLetterTopic(topic))).slice(before);
        if (found.length < messages.length) throw new Error(`${found.length} dead letters`);
        return found;
      },
      { within: 20_000 },
    );
    return messages.map(({ key }) => {
      const [deadLetter] = deadLetters.splice(
        deadLetters.findIndex((one) => String(one.key) === String(key)),
        1,
      );
      return `${topic}:${deadLetter?.offset}`;
    });
  }

  /** Returns every message on a topic, or those of one key. */
  async messagesOf(topic: string, key?: string): Promise<KafkaMessage[]> {
    const found: KafkaMessage[] = [];
    await readMessages(this.kafka, topic, await topicEnds(this.kafka, topic), (_, raw) => {
      if (key === undefined || String(raw.key) === key) found.push(raw);
      return undefined;
    });
    return found;
  }

  /** Deletes every message on a topic, like the retention. */
  async deleteRecords(topic: string): Promise<void> {
    const name = this.kafka.names.topic(topic);
    await withAdmin(this.kafka, async (admin) => {
      const ends = await admin.fetchTopicOffsets(name);
      const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
      await admin.deleteTopicRecords({ topic: name, partitions });
    });
  }

  /** Limits the size of a topic's messages, and waits until the broker has applied the limit of the controller. */
  async boundMessages(topic: string, bytes: number): Promise<void> {
    const [name, value] = ['max.message.bytes', String(bytes)];
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: this.kafka.names.topic(topic) };
    await withAdmin(this.kafka, async (admin) => {
      await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries: [{ name, value }] }] });
      await eventually(async () => {
        const query = { includeSynonyms: false, resources: [{ ...resource, configNames: [name] }] };
        const [described] = (await admin.describeConfigs(query)).resources;
        expect(described?.configEntries[0]?.configValue).toBe(value);
      });
    });
  }
}

/** Returns the headers of a message as text. */
export function textHeaders(headers: IHeaders = {}): Record<string, unknown> {
  const text = (value: Buffer | string | undefined) => value?.toString();
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

const secret = () => randomBytes(32).toString('base64url');
const ids = new Ids({ ids: [secret()], idempotency: [secret()] });

/** Returns an offset request as the gateway would publish it. */
export function request(offset: OffsetRequest = { kgCO2e: 1 }) {
  const facts = { id: ids.generate('off', 'default'), account: 'default', ...offset };
  const grams = String(gramsFromKg(offset.kgCO2e));
  return { ...facts, grams, createdAt: new Date().toISOString(), fingerprint: fingerprint(offset) };
}

/** Returns any value as a message of `offset.requested`. */
export function requestMessage(id: string, value: unknown, headers: IHeaders = {}): Message {
  return {
    key: id,
    value: typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value),
    headers: { ce_id: id, ce_type: 'offset.requested.v1', 'x-request-id': 'r-1', ...headers },
  };
}
