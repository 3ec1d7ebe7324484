import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, setting } from '@carbon/config';
import { TOPICS, type Topic } from '@carbon/contracts';
import type { ISocketFactory, KafkaMessage } from 'kafkajs';
import { z } from 'zod';
import { createTopics } from './admin/create-topics.js';
import { readTopic } from './admin/read-topic.js';
import { withAdmin } from './admin/with-admin.js';
import { createKafka, type KafkaHandle } from './kafka/create-kafka.js';
import { noDelaySockets } from './kafka/no-delay-sockets.js';
import type { TopicTable } from './pipeline/validate.js';
import { type ProducerLimits, SelfClockedProducer } from './publish/self-clocked-producer.js';

const text = (description: string) => setting(z.string(), { description });
const settings = z.object({
  KAFKA_BROKERS: text('The Kafka that tests use.'),
  TEST_RUN: text('The name of this test run.').default('alone'),
});

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

/** The limits of who publishes for a test that is not about them: on a busy machine a confirmation may take long. */
const PATIENT = { inFlight: 20_000, deadlineMs: 60_000, refuseAfterMs: 60_000 } as const;

/** One line of log. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

/**
 * Topics and groups of a test file's own, on the engines of the run. @carbon/testing is what others use for that and for
 * {@link until}; it stands on @carbon/local, which stands on this package, so here it would close a circle.
 */
export class TestKafka {
  readonly prefix: string;
  readonly log: LogLine[] = [];
  readonly brokers: string[];

  constructor() {
    const { KAFKA_BROKERS, TEST_RUN } = loadConfig(settings);
    this.brokers = KAFKA_BROKERS.split(',');
    this.prefix = `test-${TEST_RUN}-${randomBytes(4).toString('hex')}-`;
  }

  /** A client of its own: kafkajs shares positions among the consumers of one client, as no two processes do. */
  handle(sockets: ISocketFactory = noDelaySockets, brokers = this.brokers): KafkaHandle {
    const write = (level: string) => (fields: object, message: string) => this.log.push({ level, message, fields });
    const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    return createKafka({ brokers, clientId: 'test', topicPrefix: this.prefix, logger, sockets });
  }

  /** A producer whose limits no test meets, unless it sets them. */
  producer(limits: Partial<ProducerLimits> = {}, kafka = this.handle()): SelfClockedProducer {
    return new SelfClockedProducer(kafka, { ...PATIENT, ...limits });
  }

  async create(table: TopicTable = SMALL_TOPICS): Promise<void> {
    await createTopics(this.handle(), table);
  }

  async remove(): Promise<void> {
    await withAdmin(this.handle(), async (admin) => {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(this.prefix));
      if (topics.length > 0) await admin.deleteTopics({ topics });
      const { groups } = await admin.listGroups();
      const ours = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(this.prefix));
      if (ours.length > 0) await admin.deleteGroups(ours).catch(() => {});
    });
  }

  /** Everything on a topic, as it lies there. */
  async rawMessagesOf(topic: string): Promise<KafkaMessage[]> {
    const found: KafkaMessage[] = [];
    const takesNothing: Topic = { ...TOPICS['offset.requested'], types: {} };
    await readTopic(this.handle(), topic, () => {}, {
      topics: { [topic]: takesNothing },
      onUnfit: ({ raw }) => found.push(raw),
    });
    return found;
  }
}

/** Tries until the attempt does not throw, and answers what it answered. It waits for long: how soon is seldom what a test is about. */
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

/** Stands between a client and Kafka: open, shut (nobody there) or mute (takes everything, answers nothing). */
export class Door {
  private state: 'open' | 'shut' | 'mute' = 'open';
  private readonly through = new Set<net.Socket>();
  private readonly deaf = net.createServer((socket) => socket.on('error', () => {}).resume());

  async ready(): Promise<this> {
    await new Promise<void>((resolve) => this.deaf.listen(0, '127.0.0.1', resolve));
    return this;
  }

  readonly sockets: ISocketFactory = (to) => {
    const socket = noDelaySockets(this.state === 'open' ? to : { ...to, host: '127.0.0.1', port: this.elsewhere() });
    this.through.add(socket);
    socket.on('close', () => this.through.delete(socket));
    return socket;
  };

  open(): void {
    this.become('open');
  }

  shut(): void {
    this.become('shut');
  }

  mute(): void {
    this.become('mute');
  }

  /** Each connection that stands breaks in the place of the next answer that it brings. */
  loseAnswers(): void {
    for (const socket of this.through) {
      const { emit } = socket;
      socket.emit = (event: string, ...rest: unknown[]) => {
        if (event !== 'data') return Reflect.apply(emit, socket, [event, ...rest]);
        socket.destroy(new Error('read ECONNRESET'));
        return true;
      };
    }
  }

  close(): void {
    this.become('shut');
    this.deaf.close();
  }

  /** Port 1 is nobody's: a connection is refused at once. */
  private elsewhere(): number {
    const address = this.deaf.address();
    return this.state === 'mute' && address !== null && typeof address === 'object' ? address.port : 1;
  }

  private become(state: 'open' | 'shut' | 'mute'): void {
    this.state = state;
    for (const socket of this.through) socket.destroy(new Error('read ECONNRESET'));
  }
}
