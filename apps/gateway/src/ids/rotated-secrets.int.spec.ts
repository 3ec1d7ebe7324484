import { Ids } from '@carbon/contracts';
import { startGateway, TEST_SECRETS, type TestGateway } from '../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../test-upstream.js';

const NEW_SECRET = 'a-new-id-secret-of-at-least-32-characters';
const before = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
const post = (gateway: TestGateway, key: string) =>
  gateway.ask({ method: 'POST', path: '/v1/offsets', headers: { 'idempotency-key': key }, body: { kgCO2e: 1 } });

let offsets: TestUpstream;
let rotated: TestGateway;
beforeAll(async () => {
  offsets = await startUpstream(says(200, 'application/json', '{}'));
  const ID_SECRETS = `${NEW_SECRET},${TEST_SECRETS.ID_SECRETS}`;
  rotated = await startGateway({ OFFSETS_URL: offsets.url, ID_SECRETS });
});
afterAll(async () => {
  await rotated.close();
  await offsets.close();
});

describe('after a new first secret in ID_SECRETS', () => {
  it.each([
    `/v1/offsets?id=${before.mint('off', 'default')}`,
    `/v1/retirements?offset=${before.mint('off', 'default')}`,
    `/v1/estimates?id=${before.mint('est', 'default')}`,
    `/v1/offsets?id=${before.fromKey('default', 'order-1')}`,
  ])('what was issued before is asked for: %s', async (path) => {
    expect((await rotated.ask({ path })).status).toBe(200);
    expect(offsets.asked.at(-1)?.path).toBe(path);
  });

  it('a key gives the id it gave before, and an id from before is still its own key', async () => {
    const minted = before.mint('off', 'default');
    for (const [key, id] of [
      ['order-1', before.fromKey('default', 'order-1')],
      [minted, minted],
    ] as const) {
      expect((await post(rotated, key)).headers.location).toBe(`/v1/offsets?id=${id}`);
    }
  });

  it('what is issued from now on needs the new secret', async () => {
    const answer = await rotated.ask({ method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } });
    const id = String(answer.headers.location).replace('/v1/offsets?id=', '');
    const after = new Ids({ ids: [NEW_SECRET], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
    expect(after.read('off', id, 'default').verdict).toBe('issued');
    expect(before.read('off', id, 'default').verdict).toBe('not-issued');
  });
});
