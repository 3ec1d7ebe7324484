import { Ids } from '@carbon/contracts';
import { startGateway, TEST_SECRETS, type TestGateway } from '../../test-gateway.js';

const BODY = { kgCO2e: 12.5, customerRef: 'u-1' };
const ids = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (key: string | undefined, body: object | string = BODY) =>
  gateway.ask({
    method: 'POST',
    path: '/v1/offsets',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    body,
  });
const idOf = (answer: { headers: Readonly<Record<string, unknown>> }) =>
  String(answer.headers.location).replace('/v1/offsets?id=', '');
const publishedAs = async (id: string) => (await gateway.requested()).filter(({ key }) => String(key) === id).length;

describe('POST /v1/offsets again under the same Idempotency-Key', () => {
  it('gives the same answer, says that it is a replay, and publishes nothing', async () => {
    const [first, again] = [await post('order-1'), await post('order-1')];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.location).toBe(first.headers.location);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(await publishedAs(idOf(first))).toBe(1);
  });

  it('is the same wish however its JSON is written', async () => {
    const first = await post('order-2', '{"kgCO2e":12.50,"customerRef":"u-1"}');
    const again = await post('order-2', ' { "customerRef" : "\\u0075-1", "kgCO2e": 1.25e1 } ');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('publishes once for 200 at a time, and says to all but one that they are replays', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => post('order-3')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === 'true')).toHaveLength(199);
    expect(await publishedAs(String(ids.fromKey('default', 'order-3')))).toBe(1);
  });

  it('takes the id of an offset as the key of that offset', async () => {
    const first = await post(undefined);
    const again = await post(idOf(first));
    expect([idOf(again), again.headers['idempotency-replayed']]).toEqual([idOf(first), 'true']);
    expect(await publishedAs(idOf(first))).toBe(1);
  });

  it('makes the offset of an id that was minted here and is not known, with the time that it holds', async () => {
    const time = Date.parse('2026-03-02T10:15:30.123Z');
    const id = ids.mint('off', 'default', time);
    const answer = await post(id);
    expect([answer.status, idOf(answer), answer.headers['idempotency-replayed']]).toEqual([202, id, undefined]);
    const [event] = (await gateway.requested()).filter(({ key }) => String(key) === id);
    expect(event?.value).toMatchObject({ createdAt: '2026-03-02T10:15:30.123Z' });
  });

  it.each([
    ['an estimate’s id', ids.mint('est', 'default')],
    ['another account’s id', ids.mint('off', 'other')],
  ])('takes %s for a key like any other', async (_, key) => {
    const [first, again] = [await post(key), await post(key)];
    expect(idOf(first)).not.toBe(key);
    expect([idOf(again), again.headers['idempotency-replayed']]).toEqual([idOf(first), 'true']);
  });

  it('is a new offset without a key', async () => {
    const [one, other] = [await post(undefined), await post(undefined)];
    expect(idOf(one)).not.toBe(idOf(other));
    expect(other.headers).not.toHaveProperty('idempotency-replayed');
  });
});
