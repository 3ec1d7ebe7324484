import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { says } from '../../test-upstream.js';

const offsets = gatewayBefore('OFFSETS_URL');

describe('GET /v1/offsets without an id, refused', () => {
  it('passes a refusal on as it is', async () => {
    const refusal = '{"code":"invalid_cursor","status":400}';
    offsets.answers(says(400, 'application/problem+json', refusal));
    const given = await offsets.ask({ path: '/v1/offsets?cursor=x' });
    expect([given.status, given.headers['content-type'], given.body.toString()]).toEqual([
      400,
      'application/problem+json',
      refusal,
    ]);
  });

  it.each(['?customerRef=%zz', '?customerRef=%ff', '?%=1'])('refuses %s, which cannot be decoded', async (query) => {
    const before = offsets.asked.length;
    expect(await offsets.ask({ path: `/v1/offsets${query}` })).toEqual(problem(400, 'invalid_request'));
    expect(offsets.asked.length).toBe(before);
  });
});
