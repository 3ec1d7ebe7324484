import { startReader, TEST_IDS } from '../../test-gateway.js';
import { says, startUpstream } from '../../test-upstream.js';

const POLLERS = 250;
/** Longer than the offsets service waits for an offset that it has no row for yet. */
const HOLD_MS = 2_000;
/** Less than all pollers would take by the connections that the lists are asked on. */
const TIMEOUT_MS = 5_000;

describe('GET /v1/offsets?id= by many at a time whose offsets are not recorded yet', () => {
  it('is queued for each of them, and keeps nobody from the lists', async () => {
    const unknown = says(404, 'application/problem+json', '{"code":"not_found","status":404}');
    const list = says(200, 'application/json', '[]');
    const offsets = await startUpstream((request, response) => {
      if (!request.url?.includes('id=')) list(request, response);
      else setTimeout(() => unknown(request, response), HOLD_MS);
    });
    const gateway = await startReader({ OFFSETS_URL: offsets.url, OFFSETS_TIMEOUT_MS: String(TIMEOUT_MS) });
    try {
      let over = false;
      const poll = async () =>
        (await gateway.ask({ path: `/v1/offsets?id=${TEST_IDS.mint('off', 'default')}` })).status;
      const pollers = Promise.all(Array.from({ length: POLLERS }, async () => [await poll(), await poll()]));
      void pollers.finally(() => {
        over = true;
      });
      const lists = new Set<number>();
      while (!over) lists.add((await gateway.ask({ path: '/v1/offsets' })).status);
      expect(new Set((await pollers).flat())).toEqual(new Set([200]));
      expect(lists).toEqual(new Set([200]));
    } finally {
      await gateway.close();
      await offsets.close();
    }
  });
});
