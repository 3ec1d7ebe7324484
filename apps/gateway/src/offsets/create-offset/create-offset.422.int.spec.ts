import { problem } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';

const reused = problem(422, 'idempotency_key_reused');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (key: string, body: object) =>
  gateway.ask({ method: 'POST', path: '/v1/offsets', headers: { 'idempotency-key': key }, body });

describe('POST /v1/offsets with another body under an Idempotency-Key that is known', () => {
  it.each([
    ['another weight', { kgCO2e: 2, customerRef: 'u' }],
    ['another customer', { kgCO2e: 1, customerRef: 'v' }],
    ['no customer', { kgCO2e: 1 }],
    ['an estimate more', { kgCO2e: 1, customerRef: 'u', estimateId: 'e' }],
  ])('answers 422 to %s, and lets the first stand', async (_, other) => {
    const first = { kgCO2e: 1, customerRef: 'u' };
    const key = `order-${JSON.stringify(other).length}`;
    const accepted = await post(key, first);
    expect(await post(key, other)).toEqual(reused);
    expect((await post(key, first)).body).toEqual(accepted.body);
  });

  it('answers 422 as well when the key is the id of the offset', async () => {
    const accepted = await gateway.ask({ method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } });
    const id = String(accepted.headers.location).replace('/v1/offsets?id=', '');
    expect(await post(id, { kgCO2e: 2 })).toEqual(reused);
  });

  it('lets one of two bodies win when they come at the same time, and publishes no other', async () => {
    const bodies = Array.from({ length: 40 }, (_, n) => ({ kgCO2e: 1 + (n % 2) }));
    const answers = await Promise.all(bodies.map((body) => post('order-race', body)));
    const statuses = [0, 1].map(
      (half) => new Set(answers.filter((_, n) => n % 2 === half).map(({ status }) => status)),
    );
    expect(statuses.map((each) => [...each]).sort()).toEqual([[202], [422]]);
    const won = answers.find(({ status }) => status === 202);
    const id = String(won?.headers.location).replace('/v1/offsets?id=', '');
    expect((await gateway.requested()).filter(({ key }) => String(key) === id)).toHaveLength(1);
  });
});
