import { Health } from '@carbon/observability';
import { eventually } from '@carbon/testing';
import { problem } from '../test-client.js';
import { NOBODY, startGateway } from '../test-gateway.js';
import { says, startTcp, startUpstream } from '../test-upstream.js';

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

  it('answers well below a second while every dependency says nothing, at its best of a few times', async () => {
    const silence = await startTcp();
    const url = `http://127.0.0.1:${silence.port}`;
    const settings = { OFFSETS_URL: url, CATALOG_URL: url, KAFKA_BROKERS: `127.0.0.1:${silence.port}` };
    const gateway = await startGateway({ ...settings, RATE_LIMIT_REDIS_URL: `redis://127.0.0.1:${silence.port}` });
    try {
      for (const path of ['/health/live', '/health/ready']) {
        const times: number[] = [];
        for (let n = 0; n < 5; n += 1) times.push((await gateway.ask({ path })).ms);
        expect(Math.min(...times)).toBeLessThan(800);
      }
    } finally {
      await gateway.close();
      await silence.close();
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
