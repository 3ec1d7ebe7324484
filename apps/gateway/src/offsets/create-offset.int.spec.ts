import { acceptedMessage, fingerprint, offsetRequestedV1 } from '@carbon/contracts';
import { SelfClockedProducer } from '@carbon/messaging';
import { CANARY } from '@carbon/testing';
import { offsetIdOf, startPublishingGateway, TEST_IDS, UNUSED_ADDRESS, useGateway } from '../testing/gateway.js';
import { invalidRequest, problem, type TestRequest } from '../testing/http.js';

const gateway = useGateway(undefined, startPublishingGateway);
const JSON_TYPE = { 'content-type': 'application/json' };

const postRequest = (body: TestRequest['body'], headers: TestRequest['headers'] = JSON_TYPE, query = '') =>
  ({ method: 'POST', path: `/v1/offsets${query}`, headers, ...(body !== undefined && { body }) }) satisfies TestRequest;
const post = (...given: Parameters<typeof postRequest>) => gateway.send(postRequest(...given));

describe('POST /v1/offsets, accepted', () => {
  it('answers 202 with exactly this message and the address of the offset', async () => {
    const response = await post({ kgCO2e: 1234.5, customerRef: CANARY });
    const id = offsetIdOf(response);
    expect(id).toMatch(/^off_[0-9a-hjkmnp-tv-z]{26}$/);
    expect([response.status, response.body.toString()]).toEqual([
      202,
      `{"message":"Offset event with ID: ${id} queued for processing."}`,
    ]);
    expect(response.json).toEqual(acceptedMessage(id));
    expect(response.headers).toMatchObject({
      location: `/v1/offsets?id=${id}`,
      'content-type': expect.stringContaining('application/json'),
    });
  });

  it('has published its event before the response: grams, fingerprint, and trace', async () => {
    const body = { kgCO2e: 0.0015, estimateId: TEST_IDS.generate('est', 'default'), customerRef: 'Käse 🌳' };
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const response = await post(body, { traceparent, 'x-request-id': 'order-7' });
    const id = offsetIdOf(response);
    expect(response.headers['x-request-id']).toBe('order-7');
    const [message, ...others] = (await gateway.published()).filter(({ key }) => String(key) === id);
    expect(others).toEqual([]);
    expect(offsetRequestedV1.parse(message?.value)).toEqual({
      ...body,
      id,
      account: 'default',
      grams: '2',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      fingerprint: fingerprint(body),
    });
    expect(message?.headers).toMatchObject({
      ce_id: id,
      ce_type: 'offset.requested.v1',
      traceparent: expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/),
    });
    expect(message?.headers.traceparent).not.toBe(traceparent);
  });

  it('publishes each of 320 offsets once, 64 at a time', async () => {
    const before = (await gateway.published()).length;
    const client = async () => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.push(offsetIdOf(await post({ kgCO2e: n + 1 })));
      return ids;
    };
    const ids = (await Promise.all(Array.from({ length: 64 }, client))).flat();
    expect(new Set(ids).size).toBe(320);
    const keys = (await gateway.published()).map(({ key }) => String(key));
    expect(keys).toHaveLength(before + 320);
    expect(keys.filter((key) => ids.includes(key)).sort()).toEqual([...ids].sort());
  });
});

describe('POST /v1/offsets, refused', () => {
  const ofSize = (bytes: number) => `{"kgCO2e":1,"customerRef":"${'x'.repeat(bytes - 29)}"}`;
  let published = 0;
  beforeAll(async () => {
    published = (await gateway.published()).length;
  });

  it('lists all errors of URL, header and body at once', async () => {
    const body = { kgCo2e: 1, estimateId: '', customerRef: CANARY };
    expect(await post(body, { 'idempotency-key': `a ${CANARY}` }, '?dryRun=1')).toEqual(
      invalidRequest(
        ['dryRun', 'unknown_parameter'],
        ['Idempotency-Key', 'invalid_header'],
        ['kgCO2e', 'missing_field', { pointer: '/kgCO2e' }],
        ['estimateId', 'invalid_field'],
        ['kgCo2e', 'unknown_field', { suggestion: 'kgCO2e' }],
      ),
    );
  });

  it('refuses an estimate that is not one of the account, in the same words whether malformed or another’s', async () => {
    const theirs = TEST_IDS.generate('est', 'theirs');
    const answers = await Promise.all(
      ['e', TEST_IDS.generate('off', 'default'), theirs].map((estimateId) => post({ kgCO2e: 1, estimateId })),
    );
    for (const answer of answers)
      expect(answer).toEqual(invalidRequest(['estimateId', 'invalid_field', { pointer: '/estimateId' }]));
    const words = answers.map(({ json }) => (json as { errors: { detail: string }[] }).errors[0]?.detail);
    expect(new Set(words).size).toBe(1);
  });

  it.each<[number, string, string, TestRequest['headers'], string]>([
    [400, 'invalid_json', 'a member twice', JSON_TYPE, '{"kgCO2e":1,"kgCO2e":2}'],
    [400, 'invalid_json', 'nine levels', JSON_TYPE, '{"kgCO2e":[[[[[[[[1]]]]]]]]}'],
    [413, 'payload_too_large', 'more than 16 KiB', JSON_TYPE, ofSize(16 * 1024 + 1)],
    [400, 'invalid_request', '16 KiB, which are read', JSON_TYPE, ofSize(16 * 1024)],
    [415, 'unsupported_media_type', 'another type', { 'content-type': 'text/plain' }, '{"kgCO2e":1}'],
  ])('responds %d %s to %s', async (status, code, _, headers, body) => {
    expect(await post(body, headers)).toEqual(problem(status, code));
  });

  it('publishes none of these', async () => {
    expect(await gateway.published()).toHaveLength(published);
  });
});

describe('POST /v1/offsets without Kafka', () => {
  const cut = useGateway(() => ({ KAFKA_BROKERS: UNUSED_ADDRESS, ACCEPT_TIMEOUT_MS: '300' }));

  it.each<[Record<string, string>, unknown]>([
    [{}, expect.stringMatching(/^off_/)],
    [{ 'idempotency-key': 'order-7' }, 'order-7'],
  ])('answers not_accepted in bounded time, with the key that makes a retry safe: %j', async (headers, retryKey) => {
    const response = await cut.send(postRequest({ kgCO2e: 1 }, headers));
    expect(response).toEqual(problem(503, 'not_accepted', { retryKey }));
    expect(response.ms).toBeLessThan(10_000);
  });
});

describe('ACCEPT_IN_FLIGHT', () => {
  const narrow = useGateway(() => ({ ACCEPT_IN_FLIGHT: '1' }));

  it('bounds the offsets that wait for Kafka at a time', async () => {
    const producer = narrow.app.get(SelfClockedProducer, { strict: false });
    const publish = () =>
      producer.publish({ topic: 'offset.requested', key: 'k', value: '{}', headers: {} }, { deadlineMs: 300 });
    const [, second] = await Promise.allSettled([publish(), publish()]);
    expect(second).toMatchObject({ status: 'rejected', reason: { reason: 'full' } });
  });
});
