import { json } from 'node:stream/consumers';
import { Ids } from '@carbon/contracts';
import { gatewayBefore } from '../../test-before.js';
import { TEST_SECRETS } from '../../test-gateway.js';
import { says } from '../../test-upstream.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MADE = '{"id":"est_1",  "kgCO2e": 1.50, "odd spacing and ünicode": "stay"}';
const ids = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });

interface Wanted {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const offsets = gatewayBefore('OFFSETS_URL');
const wanted: Wanted[] = [];
beforeEach(() => {
  offsets.answers(async (request, response) => {
    wanted.push((await json(request)) as Wanted);
    says(201, 'application/json; charset=utf-8', MADE, { 'cache-control': 'no-store' })(request, response);
  });
});

const post = (body: object | string, headers: Record<string, string> = {}) =>
  offsets.ask({
    method: 'POST',
    path: '/v1/estimates',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

describe('POST /v1/estimates, answered', () => {
  it('gives the offsets service’s estimate byte for byte, and its address', async () => {
    const answer = await post({ kgCO2e: 1.5 });
    expect([answer.status, answer.body.toString()]).toEqual([201, MADE]);
    expect(answer.headers).toMatchObject({
      location: `/v1/estimates?id=${wanted.at(-1)?.id}`,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it('is made under an id that proves itself, with its time, and held for a day', async () => {
    const before = Date.now();
    await post({ kgCO2e: 1.5, asset: 'pool_bct' });
    const { id, createdAt, expiresAt } = wanted.at(-1) ?? { id: '', createdAt: '', expiresAt: '' };
    const created = Date.parse(createdAt);
    expect(ids.read('est', id, 'default')).toEqual({ verdict: 'issued', time: created });
    expect(Date.parse(expiresAt) - created).toBe(DAY_MS);
    expect(created).toBeGreaterThanOrEqual(before);
    expect(wanted.at(-1)).toEqual({ id, kgCO2e: 1.5, asset: 'pool_bct', createdAt, expiresAt });
  });

  it('says who asks, and within which request and trace', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await post({ kgCO2e: 1 }, { traceparent, 'x-request-id': 'order-7', 'x-account': 'somebody-else' });
    expect(offsets.asked.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/estimates',
      headers: {
        'x-account': 'default',
        'x-request-id': 'order-7',
        'content-type': 'application/json',
        traceparent: expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/),
      },
    });
  });

  it.each(['0.1', '1e-7', '1e12', '123456.789', '5e-324'])('hands the weight %s on as it was sent', async (weight) => {
    await post(`{"kgCO2e":${weight}}`);
    expect(wanted.at(-1)).toMatchObject({ kgCO2e: Number(weight) });
  });

  it('asks for the same estimate again when the kept-alive connection was closed under the question', async () => {
    let cut = true;
    const asked: unknown[] = [];
    offsets.answers(async (request, response) => {
      asked.push(await json(request));
      if (cut) request.socket.destroy();
      else says(201, 'application/json', MADE)(request, response);
      cut = false;
    });
    expect((await post({ kgCO2e: 1 })).status).toBe(201);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toEqual(asked[0]);
  });

  it('is another estimate each time', async () => {
    const [one, other] = [await post({ kgCO2e: 1 }), await post({ kgCO2e: 1 })];
    expect(one.headers.location).not.toBe(other.headers.location);
  });
});
