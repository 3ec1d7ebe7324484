import { Health } from '@carbon/observability';
import { eventually } from '@carbon/testing';
import { problem } from '../test-client.js';
import { NOBODY, startGateway } from '../test-gateway.js';
import { says, startUpstream } from '../test-upstream.js';

describe('GET /health/ready', () => {
  it('shows each dependency, and stays 200 while one of them answers', async () => {
    const offsets = await startUpstream(says(200, 'application/json', '{}'));
    const gateway = await startGateway({ OFFSETS_URL: offsets.url, KAFKA_BROKERS: NOBODY });
    gateway.app.get(Health, { strict: false }).listening();
    try {
      // A busy machine may take longer than a dependency that is up is waited for.
      await eventually(async () => {
        const answer = await gateway.ask({ path: '/health/ready' });
        expect(answer.status).toBe(200);
        expect(answer.json).toMatchObject({ dependencies: { kafka: 'down', offsets: 'up', catalog: 'down' } });
      });
      expect(new Set(offsets.asked.map(({ path }) => path))).toEqual(new Set(['/health/live']));
    } finally {
      await gateway.close();
      await offsets.close();
    }
  });

  it('shows Kafka once it is connected, before anybody has asked for an offset', async () => {
    const gateway = await startGateway();
    gateway.app.get(Health, { strict: false }).listening();
    try {
      await eventually(async () => {
        expect((await gateway.ask({ path: '/health/ready' })).json).toMatchObject({ dependencies: { kafka: 'up' } });
      });
    } finally {
      await gateway.close();
    }
  });

  it('is 503 when no dependency answers, while the process is said to live', async () => {
    const gateway = await startGateway({ KAFKA_BROKERS: NOBODY });
    gateway.app.get(Health, { strict: false }).listening();
    try {
      expect(await gateway.ask({ path: '/health/ready' })).toEqual(problem(503, 'service_unavailable'));
      expect((await gateway.ask({ path: '/health/live' })).status).toBe(200);
    } finally {
      await gateway.close();
    }
  });
});
