import type { Answer } from './test-catalog.js';

/** Of a catalog that waits for this long at most. By default it waits for longer than {@link SOON_MS}. */
export const IMPATIENT = { SEARCH_TIMEOUT_MS: '1000' };

/** Counted by the client, on a busy machine. */
const SOON_MS = 7_000;

/** Asks, and expects to be told soon that the library cannot be asked now, and when to try again. */
export async function expectUnavailable(ask: () => Promise<Answer>): Promise<void> {
  const begin = performance.now();
  const { status, headers, body } = await ask();
  expect(performance.now() - begin).toBeLessThan(SOON_MS);
  const head = [status, headers.get('content-type'), headers.get('retry-after')];
  expect(head).toEqual([503, 'application/problem+json', '1']);
  expect(body).toMatchObject({ code: 'service_unavailable', status: 503, type: '/problems/service_unavailable' });
}
