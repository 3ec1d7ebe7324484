import { CANARY } from '@carbon/testing';
import { problem } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (body: object | string | Buffer, headers: Record<string, string | string[]> = {}, query = '') =>
  gateway.ask({
    method: 'POST',
    path: `/v1/offsets${query}`,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
const item = (field: string, code: string, more: object = {}) => expect.objectContaining({ field, code, ...more });
const faulty = (...errors: unknown[]) => problem(400, 'invalid_request', { errors });

describe('POST /v1/offsets, refused', () => {
  it.each([
    ['a weight as text', { kgCO2e: '1' }],
    ['no weight', {}],
    ['a weight of zero', { kgCO2e: 0 }],
    ['a negative weight', { kgCO2e: -5 }],
    ['more than 1e12 kilograms', { kgCO2e: 1_000_000_000_001 }],
    ['null for a weight', { kgCO2e: null }],
  ])('names %s', async (_, body) => {
    expect(await post(body)).toEqual(faulty(item('kgCO2e', expect.stringMatching(/_field$/), { pointer: '/kgCO2e' })));
  });

  it.each(['1e999', '-0', '-1e-9'])('does not take %s for a weight', async (weight) => {
    expect(await post(`{"kgCO2e":${weight}}`)).toEqual(faulty(item('kgCO2e', 'invalid_field')));
  });

  it('names an unknown field and the likely one', async () => {
    expect(await post({ kgCO2e: 1, customer_ref: 'u' })).toEqual(
      faulty(item('customer_ref', 'unknown_field', { detail: 'unknown field, did you mean customerRef?' })),
    );
  });

  it('does not take null for absent', async () => {
    expect(await post({ kgCO2e: 1, customerRef: null })).toEqual(faulty(item('customerRef', 'invalid_field')));
  });

  it('lists all mistakes of address, header and body at once', async () => {
    const answer = await post(
      { kgCo2e: 1, estimateId: '', customerRef: CANARY },
      { 'idempotency-key': `a ${CANARY}` },
      '?dryRun=1',
    );
    expect(answer).toEqual(
      faulty(
        item('dryRun', 'unknown_parameter'),
        item('Idempotency-Key', 'invalid_header'),
        item('kgCO2e', 'missing_field'),
        item('estimateId', 'invalid_field'),
        item('kgCo2e', 'unknown_field', { suggestion: 'kgCO2e' }),
      ),
    );
  });

  it('lists at most ten', async () => {
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field${n}`, n]));
    const { json } = await post(body);
    expect(json).toMatchObject({ code: 'invalid_request', errors: { length: 10 } });
  });

  it('wants one Idempotency-Key at most, of 1 to 255 visible characters', async () => {
    const twice = await post({ kgCO2e: 1 }, { 'idempotency-key': ['a', 'a'] });
    expect(twice).toEqual(faulty(item('Idempotency-Key', 'duplicate_header')));
    for (const key of ['', 'k'.repeat(256), 'caf\u00e9']) {
      const answer = await post({ kgCO2e: 1 }, { 'idempotency-key': key });
      expect(answer).toEqual(faulty(item('Idempotency-Key', 'invalid_header')));
    }
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'kgCO2e=1'],
    ['half of JSON', '{"kgCO2e":1'],
    ['a key twice', '{"kgCO2e":1,"kgCO2e":2}'],
    ['a byte order mark', '\ufeff{"kgCO2e":1}'],
    ['a prototype', '{"kgCO2e":1,"__proto__":{"a":1}}'],
    ['nine levels', '{"kgCO2e":[[[[[[[[1]]]]]]]]}'],
    ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['NaN', '{"kgCO2e":NaN}'],
  ])('refuses a body with %s as no acceptable JSON', async (_, body) => {
    expect(await post(body)).toEqual(problem(400, 'invalid_json'));
  });

  it('publishes nothing of all this', async () => {
    expect(await gateway.requested()).toEqual([]);
  });
});
