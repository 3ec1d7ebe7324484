import { currentContext } from '@carbon/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { SMALL_TOPICS, until } from '../test-kafka.js';
import { KafkaBatchServer } from './kafka-batch-server.js';
import { startTestApp } from './test-app.js';
import { outage, TestBench, wish } from './test-bench.js';

describe('a Kafka batch server within Nest', () => {
  let bench: TestBench;

  beforeEach(async () => {
    bench = await TestBench.make();
  });
  afterEach(() => bench.close());

  it('hands a message to its handler with the request it came from, and in its context', async () => {
    const seen: unknown[] = [];
    await bench.start(({ messages: [message] }) => {
      seen.push({ message, current: currentContext() });
    });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { ...wish(7).headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    await bench.publisher.publish({ ...wish(7), headers });
    await until(() => expect(seen).toHaveLength(1));
    expect(seen[0]).toMatchObject({
      message: {
        key: 'off_7',
        value: { n: 7 },
        type: 'offset.requested.v1',
        position: 0n,
        timestamp: expect.any(Date),
        context: { requestId: 'r-7', traceId },
      },
      current: { requestId: 'r-7', traceId },
    });
  });

  it('sees the error a handler threw, whatever filters the application has for HTTP', async () => {
    @Catch()
    class HttpFilter implements ExceptionFilter {
      catch(_error: unknown, host: ArgumentsHost) {
        host.switchToHttp().getResponse().status(500);
      }
    }
    let failing = true;
    const handled: number[] = [];
    await bench.start(
      ({ messages }) => {
        if (failing) throw outage();
        handled.push(...messages.map(({ value }) => value?.n ?? -1));
      },
      {},
      bench.handle(),
      (app) => app.useGlobalFilters(new HttpFilter()),
    );
    await bench.publisher.publish(wish(1));
    await until(() => expect(bench.times('a handler waits for an outage to pass')).toBeGreaterThan(2));
    expect(bench.log.find(({ message }) => message.startsWith('a handler waits'))?.fields).toMatchObject({
      err: { name: 'TransientFault' },
    });
    failing = false;
    await until(() => expect(handled).toEqual([1]));
    expect(await bench.letters()).toEqual([]);
  });

  it('refuses to start where Nest would hide what a handler throws', async () => {
    const app = await bench.start(() => {});
    const server = new KafkaBatchServer(bench.handle(), { groupId: 'offsets', topics: SMALL_TOPICS });
    const hybrid = app.app.connectMicroservice<MicroserviceOptions>({ strategy: server }, { inheritAppConfig: true });
    await expect(hybrid.listen()).rejects.toThrow('connectKafka()');
  });

  it('refuses to start without a handler for a topic it is to take', async () => {
    const starting = startTestApp(bench.handle(), () => {}, { handles: ['offset.requested', 'asset.published'] });
    await expect(starting).rejects.toThrow('No handler for asset.published.');
  });
});
