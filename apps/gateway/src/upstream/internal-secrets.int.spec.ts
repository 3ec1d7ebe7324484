import { INTERNAL_SECRET } from '@carbon/faults';
import { problem } from '../test-client.js';
import { startReader, type TestGateway } from '../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../test-upstream.js';

const [OLD, NEW] = ['an-old-internal-secret-of-32-characters', 'a-new-internal-secret-of-32-characters'] as const;
const REFUSAL = JSON.stringify({ type: '/problems/unauthorized', status: 401, code: 'unauthorized' });

/** As the docs say it is done, one app after the other, in any order within a step. */
const STEPS = [
  { everywhere: OLD, thenGateway: OLD },
  { everywhere: `${OLD},${NEW}`, thenGateway: `${OLD},${NEW}` },
  { everywhere: `${NEW},${OLD}`, thenGateway: `${NEW},${OLD}` },
  { everywhere: NEW, thenGateway: NEW },
] as const;

let taken: readonly string[] = [];
let other: TestUpstream;
const gateways = new Map<string, TestGateway>();
beforeAll(async () => {
  other = await startUpstream((request, response) => {
    const isTaken = taken.includes(String(request.headers[INTERNAL_SECRET]));
    const answer = isTaken
      ? says(200, 'application/json', '[]')
      : says(401, 'application/problem+json', REFUSAL, { 'www-authenticate': 'Bearer' });
    answer(request, response);
  });
  for (const secrets of new Set(STEPS.map(({ thenGateway }) => thenGateway))) {
    const at = { OFFSETS_URL: other.url, CATALOG_URL: other.url, INTERNAL_SECRETS: secrets };
    gateways.set(secrets, await startReader(at));
  }
});
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.close();
  await other.close();
});

const PATHS = ['/v1/offsets', '/v1/assets/pools?criteria=&fullTextSearch=', '/v1/assets/schema'] as const;

describe('INTERNAL_SECRETS', () => {
  it('are changed without a lost request, whichever app is restarted first in each step', async () => {
    for (const [at, { everywhere: now }] of STEPS.entries()) {
      const before = STEPS[Math.max(0, at - 1)]?.everywhere ?? now;
      // While a step is under way some gateways and some of the other apps are restarted, and others are not yet.
      for (const app of [before, now]) {
        taken = app.split(',');
        for (const gateway of [before, now]) {
          for (const path of PATHS) {
            const answer = await gateways.get(gateway)?.ask({ path });
            expect([app, gateway, answer?.status]).toEqual([app, gateway, 200]);
          }
        }
      }
    }
  });

  it('that do not fit are our fault, not the caller’s: 503, and nothing of the other’s refusal', async () => {
    taken = [OLD];
    const answer = await gateways.get(NEW)?.ask({ path: '/v1/offsets' });
    expect(answer).toEqual(problem(503, 'service_unavailable'));
    expect(answer?.headers['www-authenticate']).toBeUndefined();
  });

  it('never reach a client, nor take a client’s word', async () => {
    taken = [OLD];
    const headers = { [INTERNAL_SECRET]: NEW, 'x-account': 'somebody-else' };
    const answer = await gateways.get(OLD)?.ask({ path: '/v1/offsets', headers });
    expect(answer?.status).toBe(200);
    expect(other.asked.at(-1)?.headers).toMatchObject({ [INTERNAL_SECRET]: OLD, 'x-account': 'default' });
    expect(JSON.stringify(answer?.headers)).not.toContain(OLD);
  });
});
