import { problem } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

let answer: ReturnType<typeof says>;
let offsets: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  offsets = await startUpstream((request, response) => answer(request, response));
  gateway = await startReader({ OFFSETS_URL: offsets.url });
});
afterAll(async () => {
  await gateway.close();
  await offsets.close();
});

describe('GET /v1/offsets without an id, refused', () => {
  it('passes a refusal on as it is', async () => {
    const refusal = '{"code":"invalid_cursor","status":400}';
    answer = says(400, 'application/problem+json', refusal);
    const given = await gateway.ask({ path: '/v1/offsets?cursor=x' });
    expect([given.status, given.headers['content-type'], given.body.toString()]).toEqual([
      400,
      'application/problem+json',
      refusal,
    ]);
  });

  it.each(['?customerRef=%zz', '?customerRef=%ff', '?%=1'])('refuses %s, which cannot be decoded', async (query) => {
    const before = offsets.asked.length;
    expect(await gateway.ask({ path: `/v1/offsets${query}` })).toEqual(problem(400, 'invalid_request'));
    expect(offsets.asked.length).toBe(before);
  });
});
