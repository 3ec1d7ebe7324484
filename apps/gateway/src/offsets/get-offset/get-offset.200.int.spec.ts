import { gatewayBefore } from '../../test-before.js';
import { TEST_IDS } from '../../test-gateway.js';
import { says } from '../../test-upstream.js';

const time = Date.parse('2026-03-02T10:15:30.123Z');
const id = TEST_IDS.mint('off', 'default', time);
const RECORDED = '{"id":"off_1",  "kgCO2e": 1.50, "odd spacing and ünicode": "stay"}';
const UNKNOWN = '{"code":"not_found","status":404}';

const offsets = gatewayBefore('OFFSETS_URL');

describe('GET /v1/offsets?id=, known', () => {
  it('gives the offsets service’s answer byte for byte', async () => {
    offsets.answers(
      says(200, 'application/json; charset=utf-8', RECORDED, { 'cache-control': 'no-store', 'x-inside': '1' }),
    );
    const given = await offsets.ask({ path: `/v1/offsets?id=${id}` });
    expect(given.status).toBe(200);
    expect(given.body.toString()).toBe(RECORDED);
    expect(given.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(given.headers).not.toHaveProperty('x-inside');
  });

  it('says who asks, and within which request and trace', async () => {
    offsets.answers(says(200, 'application/json', RECORDED));
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const headers = { traceparent, 'x-request-id': 'order-7', 'x-account': 'somebody-else' };
    await offsets.ask({ path: `/v1/offsets?id=${id}`, headers });
    expect(offsets.asked.at(-1)).toMatchObject({
      path: `/v1/offsets?id=${id}`,
      headers: {
        'x-account': 'default',
        'x-request-id': 'order-7',
        traceparent: expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/),
      },
    });
  });

  it('is queued when it was accepted and the offsets service has no such row yet', async () => {
    offsets.answers(says(404, 'application/problem+json', UNKNOWN));
    const given = await offsets.ask({ path: `/v1/offsets?id=${id}` });
    expect(given.status).toBe(200);
    expect(given.json).toEqual({ id, status: 'queued' });
    expect(given.headers['content-type']).toMatch(/^application\/json/);
  });

  it('is queued likewise when its id was made from a key', async () => {
    offsets.answers(says(404, 'application/problem+json', UNKNOWN));
    const byKey = TEST_IDS.fromKey('default', 'order-7');
    expect((await offsets.ask({ path: `/v1/offsets?id=${byKey}` })).json).toEqual({ id: byKey, status: 'queued' });
  });

  it('takes the parameter in any spelling of its name and value', async () => {
    offsets.answers(says(200, 'application/json', RECORDED));
    const spelt = `/v1/offsets?%69d=${id.replace('o', '%6F')}`;
    expect((await offsets.ask({ path: spelt })).status).toBe(200);
    expect(offsets.asked.at(-1)?.path).toBe(`/v1/offsets?id=${id}`);
  });

  it('answers HEAD like GET, without the body', async () => {
    offsets.answers(says(200, 'application/json', RECORDED));
    const given = await offsets.ask({ method: 'HEAD', path: `/v1/offsets?id=${id}` });
    expect([given.status, given.body.length]).toEqual([200, 0]);
    expect(given.headers['content-length']).toBe(String(Buffer.byteLength(RECORDED)));
  });

  it('asks again when the kept-alive connection was closed under the question', async () => {
    let cut = true;
    offsets.answers((request, response) => {
      if (cut) request.socket.destroy();
      else says(200, 'application/json', RECORDED)(request, response);
      cut = false;
    });
    expect((await offsets.ask({ path: `/v1/offsets?id=${id}` })).status).toBe(200);
  });
});
