import { problem } from '../../test-client.js';
import { startReader } from '../../test-gateway.js';

describe('GET /v1/offsets without an id when the offsets service is away', () => {
  it('is 503 with Retry-After', async () => {
    const gateway = await startReader();
    try {
      expect(await gateway.ask({ path: '/v1/offsets' })).toEqual(problem(503, 'service_unavailable'));
    } finally {
      await gateway.close();
    }
  });
});
