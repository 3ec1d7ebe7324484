import { Ids } from '@carbon/contracts';
import { Pool } from 'undici';
import { gatewayBefore } from '../test-before.js';
import { problem } from '../test-client.js';
import { startReader, TEST_SECRETS, type TestGateway } from '../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../test-upstream.js';
import { forgedIds } from './test-forged-ids.js';

/** Of offsets and of estimates, together 10,000. */
const EACH = 5_000;
const AT_A_TIME = 32;

let offsets: TestUpstream;
let gateway: TestGateway;
let client: Pool;
beforeAll(async () => {
  offsets = await startUpstream(says(200, 'application/json', '{}'));
  gateway = await startReader({ OFFSETS_URL: offsets.url });
  client = new Pool(gateway.url, { connections: AT_A_TIME });
});
afterAll(async () => {
  await client.close();
  await gateway.close();
  await offsets.close();
});

/** How often each answer was given. */
async function answersTo(paths: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const rest = paths.values();
  const work = async () => {
    for (const path of rest) {
      const { statusCode, body } = await client.request({ method: 'GET', path });
      const answer = `${statusCode} ${((await body.json()) as { code?: string }).code}`;
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return counts;
}

describe('10,000 ids that were forged, are of other accounts or kinds, or whose secret was taken out', () => {
  it.each([
    ['/v1/offsets?id=', 'off'],
    ['/v1/retirements?offset=', 'off'],
    ['/v1/estimates?id=', 'est'],
  ] as const)(
    'are all 404 at %s, and nobody is asked about them',
    async (path, prefix) => {
      const forged = forgedIds(prefix, EACH);
      expect(new Set(forged).size).toBe(EACH);
      expect(await answersTo(forged.map((id) => path + id))).toEqual({ '404 not_found': EACH });
      expect(offsets.asked).toEqual([]);
    },
    120_000,
  );

  it('stand beside issued ones, which are asked about', async () => {
    const ids = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
    const [offset, estimate] = [ids.mint('off', 'default'), ids.mint('est', 'default')];
    const paths = [`/v1/offsets?id=${offset}`, `/v1/retirements?offset=${offset}`, `/v1/estimates?id=${estimate}`];
    expect(await answersTo(paths)).toEqual({ '200 undefined': 3 });
    expect(offsets.asked.map(({ path }) => path).sort()).toEqual([...paths].sort());
  });
});

describe('what has not the form of an id', () => {
  const before = gatewayBefore('OFFSETS_URL');
  const [offset = '', estimate = ''] = [...forgedIds('off', 1), ...forgedIds('est', 1)];

  it.each([
    ['/v1/retirements?offset=', 'offset', estimate],
    ['/v1/estimates?id=', 'id', offset],
    ['/v1/offsets?id=', 'id', estimate],
  ])('is 400 at %s, also when it has the form of another kind', async (path, field, otherKind) => {
    const values = [otherKind, 'nonsense', '', otherKind.toUpperCase(), `${otherKind}0`, '%00', '%zz', 'off_', 'est_'];
    for (const value of values) {
      const errors = [expect.objectContaining({ field, code: 'invalid_parameter' })];
      expect(await before.ask({ path: path + value })).toEqual(problem(400, 'invalid_request', { errors }));
    }
    expect(before.asked).toEqual([]);
  });
});
