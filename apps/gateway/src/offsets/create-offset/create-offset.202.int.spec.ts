import { acceptedMessage, fingerprint, offsetRequestedV1 } from '@carbon/contracts';
import type { Received } from '@carbon/messaging';
import { CANARY } from '@carbon/testing';
import { startGateway, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (body: object, headers: Record<string, string> = {}) =>
  gateway.ask({ method: 'POST', path: '/v1/offsets', headers, body });
const idOf = (answer: { headers: Readonly<Record<string, unknown>> }) =>
  String(answer.headers.location).replace('/v1/offsets?id=', '');
const requestedAs = async (id: string): Promise<Received[]> =>
  (await gateway.requested()).filter(({ key }) => String(key) === id);

describe('POST /v1/offsets, accepted', () => {
  it('answers 202 with exactly this message and the address of the offset', async () => {
    const answer = await post({ kgCO2e: 1234.5, customerRef: CANARY });
    expect(answer.status).toBe(202);
    expect(idOf(answer)).toMatch(/^off_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(answer.body.toString()).toBe(`{"message":"Offset event with ID: ${idOf(answer)} queued for processing."}`);
    expect(answer.json).toEqual(acceptedMessage(idOf(answer)));
    expect(answer.headers).toMatchObject({
      location: `/v1/offsets?id=${idOf(answer)}`,
      'content-type': expect.stringContaining('application/json'),
    });
  });

  it('has by then recorded the wish on its topic, with its grams and its fingerprint', async () => {
    const wish = { kgCO2e: 0.0015, estimateId: CANARY, customerRef: 'Käse 🌳' };
    const id = idOf(await post(wish));
    const [message, ...others] = await requestedAs(id);
    expect(others).toEqual([]);
    expect(offsetRequestedV1.parse(message?.value)).toEqual({
      ...wish,
      id,
      account: 'default',
      grams: '2',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      fingerprint: fingerprint(wish),
    });
  });

  it('carries the caller’s request and trace on', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const answer = await post({ kgCO2e: 1 }, { traceparent, 'x-request-id': 'order-7' });
    expect(answer.headers['x-request-id']).toBe('order-7');
    const [message] = await requestedAs(idOf(answer));
    expect(message?.headers).toMatchObject({
      ce_specversion: '1.0',
      ce_id: idOf(answer),
      ce_source: '/gateway',
      ce_type: 'offset.requested.v1',
      ce_subject: idOf(answer),
      'content-type': 'application/json',
      traceparent: expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/),
    });
    expect(message?.headers.traceparent).not.toBe(traceparent);
  });

  it('gives the same id for the same key, another one for another, and a new one without', async () => {
    const key = { 'idempotency-key': 'order-8' };
    const [one, again, other, none] = [
      await post({ kgCO2e: 1 }, key),
      await post({ kgCO2e: 1 }, key),
      await post({ kgCO2e: 1 }, { 'idempotency-key': 'order-9' }),
      await post({ kgCO2e: 1 }),
    ];
    expect(idOf(again)).toBe(idOf(one));
    expect(again.body).toEqual(one.body);
    expect(new Set([idOf(one), idOf(other), idOf(none)]).size).toBe(3);
  });

  it('takes 640 offsets, 64 at a time, and puts each on the topic once', async () => {
    const before = (await gateway.requested()).length;
    const ids: string[] = [];
    const work = async (worker: number) => {
      for (let n = 0; n < 10; n += 1) {
        const answer = await post({ kgCO2e: worker + 1, customerRef: `w${worker}-${n}` });
        expect(answer.status).toBe(202);
        ids.push(idOf(answer));
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, worker) => work(worker)));
    const recorded = (await gateway.requested()).map(({ key }) => String(key));
    expect(recorded.length - before).toBe(640);
    expect(recorded.filter((key) => ids.includes(key)).sort()).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(640);
  });
});
