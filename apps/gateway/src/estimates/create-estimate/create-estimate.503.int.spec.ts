import type { RequestListener } from 'node:http';
import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { startReader } from '../../test-gateway.js';
import { says } from '../../test-upstream.js';

const question = { method: 'POST', path: '/v1/estimates', body: { kgCO2e: 1 } };
const offsets = gatewayBefore('OFFSETS_URL');

describe('POST /v1/estimates when the offsets service makes none', () => {
  it.each<[string, RequestListener]>([
    ['something else answers', says(201, 'text/html', '<h1>created</h1>')],
    ['it answers 200', says(200, 'application/json', '{}')],
    ['it breaks the connection', (request) => request.socket.destroy()],
  ])('answers 503 with Retry-After when %s', async (_, answers) => {
    offsets.answers(answers);
    const answer = await offsets.ask(question);
    expect(answer).toEqual(problem(503, 'service_unavailable'));
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answer.headers).not.toHaveProperty('location');
  });

  it('answers 503 when it is away', async () => {
    const gateway = await startReader();
    try {
      expect(await gateway.ask(question)).toEqual(problem(503, 'service_unavailable'));
    } finally {
      await gateway.close();
    }
  });
});
