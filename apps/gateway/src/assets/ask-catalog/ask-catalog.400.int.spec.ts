import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { says } from '../../test-upstream.js';

const catalog = gatewayBefore('CATALOG_URL');

describe.each(['pools', 'projects', 'schema'])('GET /v1/assets/%s, refused', (what) => {
  const path = `/v1/assets/${what}?criteria=name:%20%22a%26b%22+and+x&fullTextSearch=`;

  it('passes a mistake in the criteria on as the catalog describes it', async () => {
    const refusal = '{"code":"invalid_criteria","status":400,"errors":[{"field":"criteria","position":3}]}';
    catalog.answers(says(400, 'application/problem+json', refusal));
    const given = await catalog.ask({ path, headers: { 'if-none-match': '*' } });
    expect([given.status, given.body.toString()]).toEqual([400, refusal]);
  });

  it('refuses what cannot be decoded without asking', async () => {
    const before = catalog.asked.length;
    const given = await catalog.ask({ path: `/v1/assets/${what}?criteria=%E0%A4%A&fullTextSearch=` });
    expect(given).toEqual(problem(400, 'invalid_request'));
    expect(catalog.asked.length).toBe(before);
  });
});
