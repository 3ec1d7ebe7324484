import { Ids } from '@carbon/contracts';
import { problem } from '../../test-client.js';
import { startReader, TEST_SECRETS, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

const ids = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
const path = `/v1/offsets?id=${ids.mint('off', 'default')}`;

describe('GET /v1/offsets?id= when the offsets service cannot be asked', () => {
  it('is never queued and never 404, but 503 with Retry-After', async () => {
    const gateway = await startReader();
    try {
      const answer = await gateway.ask({ path });
      expect(answer).toEqual(problem(503, 'service_unavailable'));
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    } finally {
      await gateway.close();
    }
  });

  describe('because something else answers in its place', () => {
    let answer: ReturnType<typeof says>;
    let stranger: TestUpstream;
    let gateway: TestGateway;

    beforeAll(async () => {
      stranger = await startUpstream((request, response) => answer(request, response));
      gateway = await startReader({ OFFSETS_URL: stranger.url });
    });
    afterAll(async () => {
      await gateway.close();
      await stranger.close();
    });

    it.each([
      ['a page that says 404', says(404, 'text/html', '<h1>404</h1>')],
      ['JSON that says 404, but no problem document', says(404, 'application/json', '{"code":"not_found"}')],
      ['a redirection', says(302, 'application/json', '{}', { location: 'http://127.0.0.1:1/' })],
    ])('such as %s', async (_, stranges) => {
      answer = stranges;
      expect(await gateway.ask({ path })).toEqual(problem(503, 'service_unavailable'));
    });
  });

  it('passes the service’s own 503 on as it is', async () => {
    const body = '{"type":"/problems/service_unavailable","code":"service_unavailable","status":503}';
    const busy = await startUpstream(says(503, 'application/problem+json', body, { 'retry-after': '7' }));
    const gateway = await startReader({ OFFSETS_URL: busy.url });
    try {
      const answer = await gateway.ask({ path });
      expect([answer.status, answer.headers['retry-after'], answer.body.toString()]).toEqual([503, '7', body]);
    } finally {
      await gateway.close();
      await busy.close();
    }
  });

  it('waits longer than the service itself does, and then no more', async () => {
    const slow = await startUpstream((request, response) => {
      if (request.url === path) setTimeout(() => says(200, 'application/json', '{}')(request, response), 1_100);
    });
    const gateway = await startReader({ OFFSETS_URL: slow.url });
    try {
      expect((await gateway.ask({ path })).status).toBe(200);
      const never = await gateway.ask({ path: '/v1/offsets' });
      expect(never).toEqual(problem(503, 'service_unavailable'));
      expect(never.ms).toBeLessThan(3_000);
    } finally {
      await gateway.close();
      await slow.close();
    }
  });
});
