import type { Answer } from './test-catalog.js';

/** Counted by the client, on a busy machine; the gateway in front waits for less than two seconds. */
const TWO_SECONDS = 2_000;

/** Asks, and expects to be told soon that the library cannot be asked now, and when to try again. */
export async function expectUnavailable(ask: () => Promise<Answer>): Promise<void> {
  const begin = performance.now();
  const { status, headers, body } = await ask();
  expect(performance.now() - begin).toBeLessThan(TWO_SECONDS);
  const head = [status, headers.get('content-type'), headers.get('retry-after')];
  expect(head).toEqual([503, 'application/problem+json', '1']);
  expect(body).toMatchObject({ code: 'service_unavailable', status: 503, type: '/problems/service_unavailable' });
}
