import { problem } from '../../test-client.js';
import { startReader } from '../../test-gateway.js';

describe('GET /v1/offsets without an id when the offsets service is away', () => {
  it('is 503 with Retry-After', async () => {
    const gateway = await startReader();
    try {
      const answer = await gateway.ask({ path: '/v1/offsets' });
      expect(answer).toEqual(problem(503, 'service_unavailable'));
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    } finally {
      await gateway.close();
    }
  });
});
