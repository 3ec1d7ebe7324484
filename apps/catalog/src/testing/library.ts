import type { Asset } from '@carbon/contracts';
import {
  createKafka,
  createTopics,
  eventMessage,
  type KafkaHandle,
  SelfClockedProducer,
  topicEnds,
  withAdmin,
} from '@carbon/messaging';
import { eventually, freshPrefix, SLOW_PRODUCER, testEngines } from '@carbon/testing';

/** Returns an asset with few fields. */
export function asset(id: string, more: Partial<Asset> = {}): Asset {
  const type = id.startsWith('pool_') ? 'POOL' : 'PROJECT';
  return { id, type, source: 'TOUCAN', name: id, ...more };
}

/** The library of one test: its own topics on the real Kafka, and methods to publish. */
export interface TestLibrary {
  readonly prefix: string;
  readonly kafka: KafkaHandle;
  /** @returns when Kafka has confirmed all messages */
  publish(...assets: readonly Asset[]): Promise<void>;
  withdraw(...ids: readonly string[]): Promise<void>;
  /** Publishes any bytes under any key. */
  send(key: string, value: string | null, type?: string): Promise<void>;
  /** Counts the dead letters. */
  deadLetters(): Promise<number>;
  /** Moves the committed positions of a group without members. */
  commit(group: string, positions: readonly { readonly partition: number; readonly offset: string }[]): Promise<void>;
  close(): Promise<void>;
}

/** Creates the topics of a library, by default under a new prefix. */
export async function testLibrary(
  prefix = freshPrefix(),
  kafkaBrokers = testEngines().kafkaBrokers,
): Promise<TestLibrary> {
  const kafka = createKafka({ brokers: kafkaBrokers.split(','), clientId: 'catalog-test', topicPrefix: prefix });
  // A busy broker may not know its new topics for a while.
  await eventually(() => createTopics(kafka));
  const producer = new SelfClockedProducer(kafka, SLOW_PRODUCER);
  const send = async (key: string, value: string | null, type = 'asset.published.v1') => {
    const id = `${key}-${Math.random()}`;
    const time = new Date().toISOString();
    const message = eventMessage('asset.published.v1', {} as Asset, { id, source: '/assets', subject: key, time });
    const headers = { ...message.headers, ce_type: type };
    await producer.publish({ ...message, topic: 'asset.published', key, value, headers });
  };
  return {
    prefix,
    kafka,
    send,
    publish: async (...assets) => void (await Promise.all(assets.map((one) => send(one.id, JSON.stringify(one))))),
    withdraw: async (...ids) => void (await Promise.all(ids.map((id) => send(id, null)))),
    deadLetters: async () => {
      const ends = await topicEnds(kafka, 'asset.published.dead-letter');
      return ends.reduce((sum, { begin, end }) => sum + Number(end - begin), 0);
    },
    commit: async (group, positions) => {
      const committed = { groupId: kafka.names.group(group), topic: kafka.names.topic('asset.published') };
      await withAdmin(kafka, (admin) => admin.setOffsets({ ...committed, partitions: [...positions] }));
    },
    close: () => producer.close(),
  };
}
