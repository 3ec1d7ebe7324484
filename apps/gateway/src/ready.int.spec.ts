import { Health } from '@carbon/observability';
import { eventually } from '@carbon/testing';
import { type Settings, startGateway, UNUSED_ADDRESS } from './testing/gateway.js';
import { problem, type TestResponse } from './testing/http.js';
import { startStub } from './testing/stub-server.js';

/** Starts a gateway that watches its dependencies, and retries `check` with its health until it passes. */
async function eventuallyReady(settings: Settings, check: (ready: TestResponse, live: TestResponse) => void) {
  const gateway = await startGateway(settings);
  gateway.app.get(Health, { strict: false }).listening();
  try {
    // A busy machine may take longer than the timeout of a health check.
    await eventually(async () =>
      check(await gateway.send({ path: '/health/ready' }), await gateway.send({ path: '/health/live' })),
    );
  } finally {
    await gateway.close();
  }
}

describe('GET /health/ready', () => {
  it('shows each dependency, and stays 200 while one of them answers', async () => {
    const offsets = await startStub();
    await eventuallyReady({ OFFSETS_URL: offsets.url, KAFKA_BROKERS: UNUSED_ADDRESS }, (ready) => {
      expect(ready.status).toBe(200);
      expect(ready.json).toMatchObject({ dependencies: { kafka: 'down', offsets: 'up', catalog: 'down' } });
    });
    expect(new Set(offsets.requests.map(({ path }) => path))).toEqual(new Set(['/health/live']));
    await offsets.close();
  });

  it('shows Kafka once it is connected, before the first offset is sent', async () => {
    await eventuallyReady({}, ({ json }) => expect(json).toMatchObject({ dependencies: { kafka: 'up' } }));
  });

  it('is 503 when no dependency answers, while liveness stays 200', async () => {
    await eventuallyReady({ KAFKA_BROKERS: UNUSED_ADDRESS }, (ready, live) => {
      expect(ready).toEqual(problem(503, 'service_unavailable'));
      expect(live.status).toBe(200);
    });
  });
});
