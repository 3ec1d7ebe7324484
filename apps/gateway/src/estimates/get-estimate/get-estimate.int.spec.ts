import { Ids } from '@carbon/contracts';
import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { TEST_SECRETS } from '../../test-gateway.js';
import { says } from '../../test-upstream.js';

const ids = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
const id = ids.mint('est', 'default');
const path = `/v1/estimates?id=${id}`;
const HELD = '{"id":"est_1",  "kgCO2e": 1.50}';

const offsets = gatewayBefore('OFFSETS_URL');

describe('GET /v1/estimates?id=', () => {
  it('gives the offsets service’s answer byte for byte, on behalf of the account', async () => {
    offsets.answers(says(200, 'application/json; charset=utf-8', HELD, { 'cache-control': 'no-store' }));
    const answer = await offsets.ask({ path, headers: { 'x-account': 'somebody-else' } });
    expect([answer.status, answer.body.toString(), answer.headers['cache-control']]).toEqual([200, HELD, 'no-store']);
    expect(offsets.asked.at(-1)).toMatchObject({ path, headers: { 'x-account': 'default' } });
  });

  it('answers HEAD like GET, without the body', async () => {
    offsets.answers(says(200, 'application/json', HELD));
    const answer = await offsets.ask({ method: 'HEAD', path });
    expect([answer.status, answer.body.length, answer.headers['content-length']]).toEqual([
      200,
      0,
      String(HELD.length),
    ]);
  });

  it('gives 404 when the id was issued and no estimate was made under it', async () => {
    const unknown = { type: '/problems/not_found', title: 'There is nothing here', status: 404, detail: 'None.' };
    const body = JSON.stringify({ ...unknown, instance: 'r-1', code: 'not_found' });
    offsets.answers(says(404, 'application/problem+json', body));
    expect(await offsets.ask({ path })).toEqual(problem(404, 'not_found'));
  });

  it.each([
    ['', 'id', 'missing_parameter'],
    ['?id=', 'id', 'invalid_parameter'],
    [`?id=${id}&id=${id}`, 'id', 'duplicate_parameter'],
    [`?id=${id}&asset=pool_bct`, 'asset', 'unknown_parameter'],
    [`?id=${id}&`, '', 'unknown_parameter'],
  ])('answers 400 to %j, and asks nobody', async (query, field, code) => {
    const before = offsets.asked.length;
    const errors = [expect.objectContaining({ field, code })];
    expect(await offsets.ask({ path: `/v1/estimates${query}` })).toEqual(problem(400, 'invalid_request', { errors }));
    expect(offsets.asked.length).toBe(before);
  });

  it('answers 503 to an answer that cannot be trusted', async () => {
    offsets.answers(says(404, 'text/html', '<h1>404</h1>'));
    expect(await offsets.ask({ path })).toEqual(problem(503, 'service_unavailable'));
  });
});
