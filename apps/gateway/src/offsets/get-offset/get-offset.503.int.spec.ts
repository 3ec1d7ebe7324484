import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { startReader, TEST_IDS } from '../../test-gateway.js';
import { says } from '../../test-upstream.js';

const path = `/v1/offsets?id=${TEST_IDS.mint('off', 'default')}`;

describe('GET /v1/offsets?id= when the offsets service is away', () => {
  it('is never queued and never 404, but 503 with Retry-After', async () => {
    const gateway = await startReader();
    try {
      expect(await gateway.ask({ path })).toEqual(problem(503, 'service_unavailable'));
    } finally {
      await gateway.close();
    }
  });
});

describe('GET /v1/offsets?id= when the offsets service does not answer as it should', () => {
  const offsets = gatewayBefore('OFFSETS_URL', { OFFSETS_TIMEOUT_MS: '4000' });

  it.each([
    ['a page that says 404', says(404, 'text/html', '<h1>404</h1>')],
    ['JSON that says 404, but no problem document', says(404, 'application/json', '{"code":"not_found"}')],
    ['a redirection', says(302, 'application/json', '{}', { location: 'http://127.0.0.1:1/' })],
  ])('is 503 because something else answers in its place, such as %s', async (_, answer) => {
    offsets.answers(answer);
    expect(await offsets.ask({ path })).toEqual(problem(503, 'service_unavailable'));
  });

  it('passes the service’s own 503 on as it is', async () => {
    const body = '{"type":"/problems/service_unavailable","code":"service_unavailable","status":503}';
    offsets.answers(says(503, 'application/problem+json', body, { 'retry-after': '7' }));
    const answer = await offsets.ask({ path });
    expect([answer.status, answer.headers['retry-after'], answer.body.toString()]).toEqual([503, '7', body]);
  });

  it('waits longer than the service itself does, and then no more', async () => {
    offsets.answers((request, response) => {
      if (request.url === path) setTimeout(() => says(200, 'application/json', '{}')(request, response), 1_100);
    });
    expect((await offsets.ask({ path })).status).toBe(200);
    const never = await offsets.ask({ path: '/v1/offsets' });
    expect(never).toEqual(problem(503, 'service_unavailable'));
    expect(never.ms).toBeLessThan(10_000);
  });
});
