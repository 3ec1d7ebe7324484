import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, setting } from '@carbon/config';
import { TOPICS, type Topic } from '@carbon/contracts';
import type { ISocketFactory, KafkaMessage } from 'kafkajs';
import { z } from 'zod';
import { withAdmin } from '../admin/admin.js';
import { createTopics } from '../admin/create-topics.js';
import { readTopic } from '../admin/read-topic.js';
import { createKafka, type KafkaHandle } from '../kafka/create-kafka.js';
import type { TopicTable } from '../pipeline/message.js';
import { eventMessage, type OutgoingMessage } from '../publish/publisher.js';
import { type ProducerLimits, SelfClockedProducer } from '../publish/self-clocked-producer.js';
import { TestNetwork } from './network.js';

const text = (description: string) => setting(z.string(), { description });
const settings = z.object({
  KAFKA_BROKERS: text('The Kafka that tests use.'),
  TEST_RUN: text('The name of this test run.').default('alone'),
});
const TIME = '2026-01-01T00:00:00.000Z';

/** Small topics under the names the code knows, so that tests need no real offsets. */
export const SMALL_TOPICS = {
  'offset.requested': {
    ...TOPICS['offset.requested'],
    partitions: 3,
    types: { 'offset.requested.v1': z.object({ n: z.number() }) },
  },
  'asset.published': {
    ...TOPICS['asset.published'],
    partitions: 2,
    types: { 'asset.published.v1': z.object({ n: z.number() }) },
  },
} as const satisfies TopicTable;

/** Returns the request for `n`, by default with the id `off_<n>`. */
export function requestEvent(n: number, id = `off_${n}`): OutgoingMessage {
  const facts = { id, subject: id, source: '/gateway', time: TIME, requestId: `r-${n}` } as const;
  return eventMessage('offset.requested.v1', { n }, facts);
}

/** Returns the message of an asset. */
export function assetEvent(id: string, data: unknown): OutgoingMessage {
  return eventMessage('asset.published.v1', data, { id, subject: id, source: '/assets', time: TIME });
}

/** Limits that no test reaches unless it sets them: on a busy machine a confirmation may take long. */
const UNLIMITED = { inFlight: 20_000, deadlineMs: 60_000, refuseAfterMs: 60_000 } as const;

/** One log line. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

/** Where clients of a test connect, and through which sockets. */
export interface Route {
  readonly sockets?: ISocketFactory;
  readonly brokers?: string[];
  readonly metadataMaxAgeMs?: number;
}

/**
 * The topics, groups and producers of one test, on the engines of the run. `@carbon/testing` depends on
 * `@carbon/local`, which depends on this package: using it here would create a cycle.
 */
export class TestKafka {
  readonly prefix: string;
  readonly log: LogLine[] = [];
  readonly brokers: string[];
  private readonly open: { close(): unknown }[] = [];

  constructor() {
    const { KAFKA_BROKERS, TEST_RUN } = loadConfig(settings);
    this.brokers = KAFKA_BROKERS.split(',');
    this.prefix = `test-${TEST_RUN}-${randomBytes(4).toString('hex')}-`;
  }

  /** Creates a separate client, because consumers of one kafkajs client share positions, unlike two processes. */
  handle({ brokers = this.brokers, ...route }: Route = {}): KafkaHandle {
    const write = (level: string) => (fields: object, message: string) => this.log.push({ level, message, fields });
    const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    return createKafka({ brokers, clientId: 'test', topicPrefix: this.prefix, logger, ...route });
  }

  producer(limits: Partial<ProducerLimits> = {}, kafka = this.handle()): SelfClockedProducer {
    return this.closing(new SelfClockedProducer(kafka, { ...UNLIMITED, ...limits }));
  }

  async network(): Promise<TestNetwork> {
    return this.closing(await new TestNetwork().ready());
  }

  async create(table: TopicTable = SMALL_TOPICS): Promise<void> {
    await createTopics(this.handle(), table);
  }

  /** Closes what was opened, and removes the topics and groups. */
  async close(): Promise<void> {
    await Promise.all(this.open.splice(0).map((part) => part.close()));
    await withAdmin(this.handle(), async (admin) => {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(this.prefix));
      if (topics.length > 0) await admin.deleteTopics({ topics });
      const { groups } = await admin.listGroups();
      const ours = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(this.prefix));
      if (ours.length > 0) await admin.deleteGroups(ours).catch(() => {});
    });
  }

  /** Returns every message on a topic, as it is stored. */
  async rawMessagesOf(topic: string): Promise<KafkaMessage[]> {
    const found: KafkaMessage[] = [];
    const takesNothing: Topic = { ...TOPICS['offset.requested'], types: {} };
    await readTopic(this.handle(), topic, () => {}, {
      topics: { [topic]: takesNothing },
      onInvalid: ({ raw }) => found.push(raw),
    });
    return found;
  }

  /** Commits positions for a group, by partition from 0. */
  async commit(group: string, topic: string, positions: readonly (bigint | number)[]): Promise<void> {
    const { names } = this.handle();
    const partitions = positions.map((position, partition) => ({ partition, offset: String(position) }));
    await withAdmin(this.handle(), (admin) =>
      admin.setOffsets({ groupId: names.group(group), topic: names.topic(topic), partitions }),
    );
  }

  private closing<T extends { close(): unknown }>(part: T): T {
    this.open.push(part);
    return part;
  }
}

/**
 * Retries until the attempt does not throw, and returns its result. The default timeout is long, because only a failing test
 * reaches it.
 */
export async function until<T>(attempt: () => T | Promise<T>, within = 60_000): Promise<T> {
  const deadline = performance.now() + within;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
