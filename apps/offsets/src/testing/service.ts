import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import type { Asset, OffsetRequestedV1 } from '@carbon/contracts';
import { INTERNAL_SECRET } from '@carbon/http';
import {
  createTopics,
  eventMessage,
  type KafkaHandle,
  type Message,
  readTopic,
  SelfClockedProducer,
  topicIdentity,
  withAdmin,
} from '@carbon/messaging';
import { createLogger, createService, Health } from '@carbon/observability';
import { eventually, freshDatabase, freshPrefix, SLOW_PRODUCER, testEngines, testLog } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { Consumers } from '../consumers.js';
import { type OffsetsConfig, offsetsSettings } from '../offsets.config.js';
import { offsetsModule } from '../offsets.module.js';
import { migrate } from '../persistence/run-migrations.js';
import { OffsetRecorder, receivedRequests } from '../receive/record-offsets.js';
import { requestedRow } from '../receive/requests.js';
import { ProcessExit } from '../recovery/process-exit.js';
import { received } from './events.js';
import { kafkaAt } from './kafka.js';
import { StoredRows } from './stored-rows.js';

/** The built service. */
export const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
const secret = () => randomBytes(32).toString('base64url');
const INTERNAL_SECRETS = secret();

/** A broker address without a listener. */
export const NO_KAFKA = { KAFKA_BROKERS: ['127.0.0.1:1'] };

/** Returns the headers of a request that the gateway sends for an account; null names none. */
export function callerHeaders(account: string | null): Record<string, string> {
  return { [INTERNAL_SECRET]: INTERNAL_SECRETS, ...(account !== null && { 'x-account': account }) };
}

/** Stores the reason for which a process would have exited: the first, because it would not reach another. */
class KeptExit extends ProcessExit {
  private hasEnded = false;

  constructor(private readonly reasons: Error[]) {
    super();
  }

  override now(reason: Error): void {
    if (!this.hasEnded) this.reasons.push(reason);
    this.hasEnded = true;
  }
}

/** A database and topics for one test file, and the offsets services that are started on them. */
export class TestService extends StoredRows {
  readonly settings: OffsetsConfig;
  private readonly producer: SelfClockedProducer;
  private readonly apps: NestFastifyApplication[] = [];
  private readonly children: ChildProcess[] = [];
  /** Why instances in this process would have exited. */
  readonly exits: Error[] = [];

  private constructor(
    readonly databaseUrl: string,
    readonly prefix: string,
    private readonly dropDatabase: () => Promise<void>,
  ) {
    super(new pg.Pool({ connectionString: databaseUrl, max: 3 }));
    this.settings = offsetsSettings.parse(this.environment);
    this.sql.on('error', () => {});
    this.producer = new SelfClockedProducer(this.kafka(), SLOW_PRODUCER);
  }

  static async create(): Promise<TestService> {
    const database = await freshDatabase({ name: 'offsets', migrate: async (url) => void (await migrate(url)) });
    const service = new TestService(database.url, freshPrefix(), database.drop);
    // A busy broker may not know its new topics for half a minute.
    await eventually(() => createTopics(service.kafka()));
    return service;
  }

  /** The environment variables of a process of the service. */
  get environment(): Record<string, string> {
    return {
      DATABASE_URL: this.databaseUrl,
      KAFKA_BROKERS: testEngines().kafkaBrokers,
      TOPIC_PREFIX: this.prefix,
      CURSOR_SECRETS: secret(),
      INTERNAL_SECRETS,
      PORT: '0',
      LOG_LEVEL: 'info',
      NODE_ENV: 'test',
    };
  }

  /** Deletes a topic and creates it again, empty. */
  async createAnew(topic: 'offset.requested' | 'asset.published'): Promise<void> {
    const kafka = this.kafka();
    const { topicId } = await topicIdentity(kafka, topic);
    await withAdmin(kafka, (admin) => admin.deleteTopics({ topics: [kafka.names.topic(topic)] }));
    // A broker may still list the deleted topic, so the creation is retried.
    await eventually(async () => {
      await createTopics(kafka);
      expect((await topicIdentity(kafka, topic)).topicId).not.toBe(topicId);
    });
  }

  kafka(): KafkaHandle {
    return kafkaAt(this.prefix);
  }

  /** Starts one more instance in this process, without waiting. */
  async launch(differently: Partial<OffsetsConfig>): Promise<NestFastifyApplication> {
    const settings = { ...this.settings, ...differently };
    const logger = createLogger({ app: 'offsets', level: settings.LOG_LEVEL, stream: testLog('offsets') });
    const overrides = { exit: new KeptExit(this.exits), lastSendMs: 100 };
    const app = await createService(offsetsModule(settings, logger, overrides), { logger, settings });
    app.get(Consumers).connect(app);
    this.apps.push(app);
    await app.listen({ host: '127.0.0.1', port: 0 });
    app.get(Health).listening();
    return app;
  }

  /** Starts one more instance in this process, and waits until it consumes. */
  async start(): Promise<NestFastifyApplication> {
    const app = await this.launch({});
    await app.get(Consumers).joined();
    return app;
  }

  /** Starts the built service, or a script that runs it, as a separate process. */
  fork(env: Record<string, string> = {}, script = MAIN, args: string[] = [], options: ForkOptions = {}): ChildProcess {
    const environment = { ...inheritedEnvironment(), ...this.environment, ...env };
    const child = fork(script, args, { stdio: 'inherit', ...options, env: environment });
    this.children.push(child);
    return child;
  }

  /** Records requests like messages of the topic, each appended when the gateway created it, in the given app. */
  async record(app: NestFastifyApplication, requests: readonly OffsetRequestedV1[]): Promise<void> {
    const messages = requests.map((one, place) =>
      received(BigInt(place), one.id, requestedRow(one), new Date(one.createdAt)),
    );
    await app.get(OffsetRecorder).run(receivedRequests(messages));
  }

  /** Returns the offset as the app shows it, once it no longer changes. */
  async settled(app: NestFastifyApplication, id: string, account = 'default'): Promise<{ status: string }> {
    return eventually(async () => {
      const answer = await app.inject({ url: `/v1/offsets?id=${id}`, headers: callerHeaders(account) });
      const view = answer.json<{ status: string }>();
      if (!['completed', 'failed'].includes(view.status)) throw new Error(`${id} is ${view.status}`);
      return view;
    });
  }

  /** Waits until there are this many offsets in each state, and every outcome is published. */
  async reaches(counts: Record<string, number>): Promise<void> {
    const unannounced = `SELECT id FROM offsets WHERE status IN ('completed', 'failed') AND announced_at IS NULL LIMIT 1`;
    await eventually(
      async () => {
        expect(await this.counts()).toEqual(counts);
        expect(await this.rows(unannounced)).toEqual([]);
      },
      { within: 180_000 },
    );
  }

  async publishAssets(assets: readonly Asset[]): Promise<void> {
    await Promise.all(assets.map((asset) => this.publish('asset.published.v1', asset.id, asset)));
  }

  async withdraw(asset: string): Promise<void> {
    await this.publish('asset.published.v1', asset, null);
  }

  async publishRequests(requests: readonly OffsetRequestedV1[]): Promise<void> {
    for (let start = 0; start < requests.length; start += 1_000) {
      const some = requests.slice(start, start + 1_000);
      await Promise.all(some.map((one) => this.publish('offset.requested.v1', one.id, one)));
    }
  }

  /** Publishes any data as an event. */
  async publish(
    type: 'offset.requested.v1' | 'asset.published.v1',
    key: string,
    data: unknown,
    traceparent?: string,
  ): Promise<void> {
    const facts = { id: key, source: '/gateway', subject: key, time: new Date().toISOString(), traceparent } as const;
    await this.producer.publish(eventMessage(type, data, facts));
  }

  /** Returns every current message of a topic. */
  async messagesOf(topic: 'offset.completed' | 'offset.failed'): Promise<Message[]> {
    const messages: Message[] = [];
    await readTopic(this.kafka(), topic, (message) => void messages.push(message));
    return messages;
  }

  async close(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    }
    await Promise.all(this.apps.map((app) => app.close()));
    await this.producer.close();
    await this.sql.end();
    await this.dropDatabase();
  }
}
