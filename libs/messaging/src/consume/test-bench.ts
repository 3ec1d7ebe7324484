import { TransientFault } from '@carbon/faults';
import type { INestApplication } from '@nestjs/common';
import type { KafkaMessage } from 'kafkajs';
import { committedPositions, endsOf } from '../admin/positions.js';
import { withAdmin } from '../admin/with-admin.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { eventMessage, type OutgoingMessage, type WireMessage } from '../publish/outgoing-message.js';
import { Door, TestKafka, until } from '../test-kafka.js';
import type { KafkaBatchOptions } from './kafka-batch-server.js';
import { type Handle, startTestApp, type TestApp } from './test-app.js';

/** Retries that take no time to speak of. */
const FAST = { attempts: 3, between: { firstMs: 5, lastMs: 20 }, outage: { firstMs: 5, lastMs: 50 } };
const TIME = '2026-01-01T00:00:00.000Z';

/** Short sessions: the broker's least. */
export const SHORT = { sessionMs: 6_000, heartbeatMs: 1_000 };

/** A wish for n, under a key of its own unless told. */
export function wish(n: number, id = `off_${n}`): OutgoingMessage {
  const facts = { id, subject: id, source: '/gateway', time: TIME, requestId: `r-${n}` } as const;
  return eventMessage('offset.requested.v1', { n }, facts);
}

/** What a handler throws when what it needs is away. */
export function outage(): TransientFault {
  return new TransientFault('service_unavailable', 'The database is away.');
}

/** Everything one test of the server needs, on topics of its own. */
export class TestBench extends TestKafka {
  private readonly apps: TestApp[] = [];
  private readonly doors: Door[] = [];
  readonly publisher = this.producer();

  static async make(): Promise<TestBench> {
    const bench = new TestBench();
    await bench.create();
    return bench;
  }

  async close(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    for (const door of this.doors) door.close();
    await this.publisher.close();
    await this.remove();
  }

  async door(): Promise<Door> {
    const door = await new Door().ready();
    this.doors.push(door);
    return door;
  }

  /** Starts an app whose handler is this function. */
  async start(
    handle: Handle,
    options: Partial<KafkaBatchOptions> = {},
    kafka: KafkaHandle = this.handle(),
    prepare: (app: INestApplication) => void = () => {},
  ): Promise<TestApp> {
    const app = await startTestApp(kafka, handle, { retry: FAST, ...options }, prepare);
    this.apps.push(app);
    return app;
  }

  async publishAll(messages: readonly WireMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => this.publisher.forward(message)));
  }

  /** How many messages the group has not committed yet. */
  async lag(): Promise<number> {
    const ends = await endsOf(this.handle(), 'offset.requested');
    const committed = await committedPositions(this.handle(), 'offsets', 'offset.requested');
    return ends.reduce((sum, { end }, partition) => sum + Number(end - (committed[partition]?.position ?? 0n)), 0);
  }

  /** Who is in the group, as Kafka knows it. */
  async groupMembers(): Promise<string[]> {
    const { groups } = await withAdmin(this.handle(), (admin) => admin.describeGroups([`${this.prefix}offsets`]));
    return groups.flatMap(({ members }) => members.map(({ memberId }) => memberId));
  }

  async drained(): Promise<void> {
    await until(async () => expect(await this.lag()).toBe(0));
  }

  letters(): Promise<KafkaMessage[]> {
    return this.rawMessagesOf('offset.requested.dead-letter');
  }

  /** How often a line was logged. */
  times(message: string): number {
    return this.log.filter((line) => line.message === message).length;
  }

  /** How often a member of the group has joined it. */
  joins(): number {
    const joined = this.log.filter(({ message }) => message === 'Consumer has joined the group');
    return joined.filter(({ fields }) => 'group' in fields && fields.group === `${this.prefix}offsets`).length;
  }
}
