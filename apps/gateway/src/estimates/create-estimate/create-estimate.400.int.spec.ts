import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { says } from '../../test-upstream.js';

const offsets = gatewayBefore('OFFSETS_URL');

const post = (body: object | string, query = '') =>
  offsets.ask({
    method: 'POST',
    path: `/v1/estimates${query}`,
    headers: { 'content-type': 'application/json' },
    body,
  });
const item = (field: string, code: string, more: object = {}) => expect.objectContaining({ field, code, ...more });
const faulty = (...errors: unknown[]) => problem(400, 'invalid_request', { errors });

describe('POST /v1/estimates, refused', () => {
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

  it.each([null, '', 7, 'bct', 'pool_', 'POOL_BCT', 'pool_a b'])('names %j, which is no asset’s id', async (asset) => {
    expect(await post({ kgCO2e: 1, asset })).toEqual(faulty(item('asset', 'invalid_field', { pointer: '/asset' })));
  });

  it('lists all mistakes of address and body at once, with the likely names', async () => {
    expect(await post({ kgCo2e: 1, assets: 'pool_bct' }, '?dryRun=1')).toEqual(
      faulty(
        item('dryRun', 'unknown_parameter'),
        item('kgCO2e', 'missing_field'),
        item('kgCo2e', 'unknown_field', { suggestion: 'kgCO2e' }),
        item('assets', 'unknown_field', { suggestion: 'asset' }),
      ),
    );
  });

  it.each([
    ['an id', { id: 'est_1' }],
    ['a time', { expiresAt: '2099-01-01T00:00:00.000Z' }],
    ['an estimate', { estimateId: 'est_1' }],
  ])('takes %s from nobody', async (_, more) => {
    const [field = ''] = Object.keys(more);
    expect(await post({ kgCO2e: 1, ...more })).toEqual(faulty(item(field, 'unknown_field')));
  });

  it.each(['', '[1', '{"kgCO2e":1,"kgCO2e":2}'])('refuses %j as no acceptable JSON', async (body) => {
    expect(await post(body)).toEqual(problem(400, 'invalid_json'));
  });

  it('asked the offsets service nothing of all this', () => {
    expect(offsets.asked).toEqual([]);
  });

  it('passes the offsets service’s refusal on as it is, and names no address', async () => {
    const refusal = '{"code":"invalid_request","status":400,"errors":[{"field":"asset","pointer":"/asset"}]}';
    offsets.answers(says(400, 'application/problem+json', refusal));
    const answer = await post({ kgCO2e: 1, asset: 'pool_unknown' });
    expect([answer.status, answer.headers['content-type'], answer.body.toString()]).toEqual([
      400,
      'application/problem+json',
      refusal,
    ]);
    expect(answer.headers).not.toHaveProperty('location');
  });
});
