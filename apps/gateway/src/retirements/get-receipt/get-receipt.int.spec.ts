import { Ids } from '@carbon/contracts';
import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { TEST_SECRETS } from '../../test-gateway.js';
import { says } from '../../test-upstream.js';

const ids = new Ids({ ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
const offset = ids.mint('off', 'default');
const path = `/v1/retirements?offset=${offset}`;
const RECEIPT = '{"offset":"off_1",  "entries": [{"sequence": 1}]}';

const offsets = gatewayBefore('OFFSETS_URL');

describe('GET /v1/retirements?offset=', () => {
  it('gives the offsets service’s receipt byte for byte, on behalf of the account', async () => {
    offsets.answers(says(200, 'application/json; charset=utf-8', RECEIPT, { 'cache-control': 'no-store' }));
    const answer = await offsets.ask({ path, headers: { 'x-account': 'somebody-else' } });
    expect([answer.status, answer.body.toString(), answer.headers['cache-control']]).toEqual([
      200,
      RECEIPT,
      'no-store',
    ]);
    expect(offsets.asked.at(-1)).toMatchObject({ path, headers: { 'x-account': 'default' } });
  });

  it('has no entries while the offset is accepted and not recorded yet', async () => {
    offsets.answers(says(404, 'application/problem+json', '{"code":"not_found","status":404}'));
    for (const id of [offset, ids.fromKey('default', 'order-7')]) {
      const answer = await offsets.ask({ path: `/v1/retirements?offset=${id}` });
      expect([answer.status, answer.json]).toEqual([200, { offset: id, entries: [] }]);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    offsets.answers(says(200, 'application/json', RECEIPT));
    const answer = await offsets.ask({ method: 'HEAD', path });
    expect([answer.status, answer.body.length, answer.headers['content-length']]).toEqual([
      200,
      0,
      String(RECEIPT.length),
    ]);
  });

  it.each([
    ['', 'offset', 'missing_parameter'],
    ['?offset=', 'offset', 'invalid_parameter'],
    [`?offset=${offset}&offset=${offset}`, 'offset', 'duplicate_parameter'],
    [`?id=${offset}&offset=${offset}`, 'id', 'unknown_parameter'],
    [`?offset=${offset}&`, '', 'unknown_parameter'],
  ])('answers 400 to %j, and asks nobody', async (query, field, code) => {
    const before = offsets.asked.length;
    const errors = expect.arrayContaining([expect.objectContaining({ field, code })]);
    expect(await offsets.ask({ path: `/v1/retirements${query}` })).toEqual(problem(400, 'invalid_request', { errors }));
    expect(offsets.asked.length).toBe(before);
  });

  it.each([
    ['a page that says 404', says(404, 'text/html', '<h1>404</h1>')],
    ['a problem of its own', says(503, 'application/problem+json', '{"code":"service_unavailable","status":503}')],
  ])('is never without entries, but 503, because of %s', async (_, answers) => {
    offsets.answers(answers);
    expect((await offsets.ask({ path })).status).toBe(503);
  });
});
