import { Controller, type DynamicModule, type INestApplication, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { ReceivedBatch } from '../pipeline/received.js';
import { SMALL_TOPICS } from '../test-kafka.js';
import { connectKafka } from './connect-kafka.js';
import { type KafkaBatchOptions, KafkaBatchServer } from './kafka-batch-server.js';

/** What the small topics hold. */
export interface Small {
  readonly n: number;
}
export type Handle = (batch: ReceivedBatch<Small>) => unknown;

const HANDLE = 'handle';

@Controller()
class Wishes {
  constructor(@Inject(HANDLE) private readonly handle: Handle) {}

  @EventPattern('offset.requested')
  take(@Payload() batch: ReceivedBatch<Small>): unknown {
    return this.handle(batch);
  }
}

@Module({})
class TestModule {
  static with(handle: Handle): DynamicModule {
    return { module: TestModule, controllers: [Wishes], providers: [{ provide: HANDLE, useValue: handle }] };
  }
}

/** An application of both kinds, HTTP and Kafka, as the real ones are. */
export interface TestApp {
  readonly app: INestApplication;
  readonly server: KafkaBatchServer;
  readonly fatal: Error[];
  close(): Promise<void>;
}

/** Starts one whose handler is this function. */
export async function startTestApp(
  kafka: KafkaHandle,
  handle: Handle,
  options: Partial<KafkaBatchOptions> = {},
  prepare: (app: INestApplication) => void = () => {},
): Promise<TestApp> {
  const fatal: Error[] = [];
  const server = new KafkaBatchServer(kafka, {
    groupId: 'offsets',
    topics: SMALL_TOPICS,
    onFatal: (error) => fatal.push(error),
    ...options,
  });
  const app = await NestFactory.create(TestModule.with(handle), new FastifyAdapter(), { logger: false });
  prepare(app);
  connectKafka(app, server);
  await app.init();
  await app.startAllMicroservices();
  return { app, server, fatal, close: () => app.close() };
}
