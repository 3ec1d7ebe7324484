import { startProxyOf } from '@carbon/local';
import { SelfClockedProducer } from '@carbon/messaging';
import { eventually, startTcp } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pool, request } from '../testing/events.js';
import { callerHeaders, NO_KAFKA, TestService } from '../testing/service.js';

let service: TestService;
beforeEach(async () => {
  service = await TestService.create();
});
afterEach(() => service.close());

const ready = async (app: NestFastifyApplication) => {
  const answer = await app.inject('/health/ready');
  return { status: answer.statusCode, ...answer.json<{ state?: string; waitingFor?: string[] }>() };
};

describe('the start of the offsets service', () => {
  it('is ready without Kafka, and serves what is recorded', async () => {
    const one = request({ kgCO2e: 1 });
    await service.publishAssets([pool('a')]);
    const before = await service.start();
    await service.publishRequests([one]);
    await service.settled(before, one.id);

    const app = await service.launch(NO_KAFKA);
    await eventually(async () => {
      expect(await ready(app)).toMatchObject({ status: 200, dependencies: { postgres: 'up', kafka: 'down' } });
    });
    const read = await app.inject({ url: `/v1/offsets?id=${one.id}`, headers: callerHeaders('default') });
    expect(read.json()).toMatchObject({ id: one.id, status: 'completed' });
    const list = await app.inject({ url: '/v1/offsets', headers: callerHeaders('default') });
    expect(list.json()).toMatchObject([{ id: one.id }]);
  });

  it('waits for its groups and the supply while Kafka responds', async () => {
    const app = await service.launch({});
    expect(await ready(app)).toMatchObject({ status: 503, state: 'starting' });
    await eventually(async () => expect(await ready(app)).toMatchObject({ status: 200 }));
    expect(app.get(SelfClockedProducer).connected).toBe(true);
  });
});

describe('GET /health', () => {
  it('responds well below a second while PostgreSQL and Kafka are silent', async () => {
    const postgres = await startProxyOf(service.databaseUrl);
    await using kafka = await startTcp();
    const app = await service.launch({
      DATABASE_URL: postgres.through(service.databaseUrl),
      KAFKA_BROKERS: [`127.0.0.1:${kafka.port}`],
    });
    await eventually(async () => expect(await ready(app)).toMatchObject({ status: 200 }));
    postgres.silence();
    await eventually(async () => expect(await ready(app)).toMatchObject({ dependencies: { postgres: 'down' } }));
    for (const path of ['/health/live', '/health/ready']) {
      const times: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const begin = performance.now();
        await app.inject(path);
        times.push(performance.now() - begin);
      }
      // The first response may be cached.
      expect(Math.min(...times.slice(1))).toBeLessThan(800);
    }
    await Promise.all([postgres.close(), app.close()]);
  });
});
