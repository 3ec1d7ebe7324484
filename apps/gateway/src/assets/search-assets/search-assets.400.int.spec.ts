import { problem } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

let answer: ReturnType<typeof says>;
let catalog: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  catalog = await startUpstream((request, response) => answer(request, response));
  gateway = await startReader({ CATALOG_URL: catalog.url });
});
afterAll(async () => {
  await gateway.close();
  await catalog.close();
});

describe.each(['pools', 'projects'])('GET /v1/assets/%s, refused', (what) => {
  const path = `/v1/assets/${what}?criteria=name:%20%22a%26b%22+and+x&fullTextSearch=`;

  it('passes a mistake in the criteria on as the catalog describes it', async () => {
    const refusal = '{"code":"invalid_criteria","status":400,"errors":[{"field":"criteria","position":3}]}';
    answer = says(400, 'application/problem+json', refusal);
    const given = await gateway.ask({ path });
    expect([given.status, given.body.toString()]).toEqual([400, refusal]);
  });

  it('refuses what cannot be decoded without asking', async () => {
    const before = catalog.asked.length;
    const given = await gateway.ask({ path: `/v1/assets/${what}?criteria=%E0%A4%A&fullTextSearch=` });
    expect(given).toEqual(problem(400, 'invalid_request'));
    expect(catalog.asked.length).toBe(before);
  });
});
