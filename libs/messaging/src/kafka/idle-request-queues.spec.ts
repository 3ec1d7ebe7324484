import { createRequire } from 'node:module';
import { createKafka } from './create-kafka.js';

/** What a connection of kafkajs does with its queue. */
interface Queue {
  readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
  push(request: {
    entry: { correlationId: number; resolve(): void };
    expectResponse: boolean;
    sendRequest(): void;
  }): void;
  maybeThrottle(ms: number): void;
  checkPendingRequests(): void;
  destroy(): void;
}

describe('the request queue of a kafkajs connection', () => {
  const withQueue = async (use: (queue: Queue) => unknown) => {
    const { logger } = createKafka({ brokers: ['127.0.0.1:9'], clientId: 'test' });
    const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as new (
      options: object,
    ) => Queue;
    const queue = new RequestQueue({ clientId: 'test', broker: 'test', logger });
    try {
      await use(queue);
    } finally {
      queue.destroy();
    }
  };

  it('sets no timer while nothing waits in it', async () => {
    await withQueue((queue) => {
      queue.checkPendingRequests();
      expect(queue.throttleCheckTimeoutId).toBeNull();
    });
  });

  it('sends what waited for a broker that throttled', async () => {
    await withQueue(async (queue) => {
      queue.maybeThrottle(20);
      const begun = Date.now();
      await new Promise<void>((resolve) => {
        const entry = { correlationId: 1, resolve: () => {} };
        queue.push({ entry, expectResponse: false, sendRequest: resolve });
      });
      expect(Date.now() - begun).toBeGreaterThanOrEqual(19);
    });
  });
});
