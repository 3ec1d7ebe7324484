import { TransientError } from '@carbon/http';
import { Controller, type INestApplication, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { KafkaMessage } from 'kafkajs';
import { withAdmin } from '../admin/admin.js';
import { committedPositions, topicEnds } from '../admin/positions.js';
import { connectKafka, type KafkaBatchOptions, KafkaBatchServer } from '../consume/kafka-batch-server.js';
import type { Batch } from '../pipeline/message.js';
import type { WireMessage } from '../publish/publisher.js';
import { SMALL_TOPICS, TestKafka, until } from './kafka.js';

/** Retries with almost no delay. */
const FAST = { attempts: 3, between: { initialMs: 5, maxMs: 20 }, outage: { initialMs: 5, maxMs: 50 } };

/** Short sessions: the broker's minimum. */
export const SHORT = { sessionMs: 6_000, heartbeatMs: 1_000 };

export type Handle = (batch: Batch<{ readonly n: number }>) => unknown;

/** Returns the numbers in the messages of a batch. */
export function numbersOf({ messages }: Parameters<Handle>[0]): number[] {
  return messages.map(({ value }) => value?.n ?? -1);
}

/** Returns the error of a handler during an outage. */
export function outage(): TransientError {
  return new TransientError('service_unavailable', 'The database is away.');
}

const HANDLE = 'handle';

@Controller()
class Requests {
  constructor(@Inject(HANDLE) private readonly handle: Handle) {}

  @EventPattern('offset.requested')
  take(@Payload() batch: Parameters<Handle>[0]): unknown {
    return this.handle(batch);
  }
}

@Module({})
class TestModule {}

/** An application with both HTTP and Kafka, like the real ones. */
export interface TestApp {
  readonly app: INestApplication;
  readonly server: KafkaBatchServer;
  readonly fatal: Error[];
  close(): Promise<void>;
}

export interface AppOptions extends Partial<KafkaBatchOptions> {
  readonly kafka?: ReturnType<TestKafka['handle']>;
  readonly prepare?: (app: INestApplication) => void;
}

/** The setup of one batch server test, with its own topics. */
export class TestBench extends TestKafka {
  readonly publisher = this.producer();
  private readonly apps: TestApp[] = [];

  static async make(): Promise<TestBench> {
    const bench = new TestBench();
    await bench.create();
    return bench;
  }

  /** Starts an app with this handler. */
  async start(handle: Handle, { kafka = this.handle(), prepare, ...options }: AppOptions = {}): Promise<TestApp> {
    const fatal: Error[] = [];
    const onFatal = (error: Error) => void fatal.push(error);
    const server = new KafkaBatchServer(kafka, {
      groupId: 'offsets',
      topic: 'offset.requested',
      topics: SMALL_TOPICS,
      onFatal,
      retry: FAST,
      ...options,
    });
    const providers = [{ provide: HANDLE, useValue: handle }];
    const module = { module: TestModule, controllers: [Requests], providers };
    const app = await NestFactory.create(module, new FastifyAdapter(), { logger: false });
    prepare?.(app);
    connectKafka(app, server);
    await app.init();
    await app.startAllMicroservices();
    const started = { app, server, fatal, close: () => app.close() };
    this.apps.push(started);
    return started;
  }

  override async close(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    await super.close();
  }

  async publishAll(messages: readonly WireMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => this.publisher.forward(message)));
  }

  /** Returns how many messages the group has not committed yet. */
  async lag(): Promise<number> {
    const ends = await topicEnds(this.handle(), 'offset.requested');
    const committed = await committedPositions(this.handle(), 'offsets', 'offset.requested');
    return ends.reduce((sum, { end }, partition) => sum + Number(end - (committed[partition]?.position ?? 0n)), 0);
  }

  async drained(): Promise<void> {
    await until(async () => expect(await this.lag()).toBe(0));
  }

  /** Returns the IDs of the members of the group. */
  async groupMembers(): Promise<string[]> {
    const { groups } = await withAdmin(this.handle(), (admin) => admin.describeGroups([`${this.prefix}offsets`]));
    return groups.flatMap(({ members }) => members.map(({ memberId }) => memberId));
  }

  deadLetters(): Promise<KafkaMessage[]> {
    return this.rawMessagesOf('offset.requested.dead-letter');
  }

  /** Counts how often a line was logged. */
  times(message: string): number {
    return this.log.filter((line) => line.message === message).length;
  }

  /** Counts how often a member has joined the group. */
  joins(): number {
    const joined = this.log.filter(({ message }) => message === 'Consumer has joined the group');
    return joined.filter(({ fields }) => 'group' in fields && fields.group === `${this.prefix}offsets`).length;
  }
}
