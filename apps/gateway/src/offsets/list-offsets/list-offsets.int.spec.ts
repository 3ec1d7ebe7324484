import { problem } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

const PAGE = '[{"id":"off_1"}, {"id":"off_2"}]';
const LINK = '</v1/offsets?limit=2&cursor=abc>; rel="next"';

let answer: ReturnType<typeof says>;
let offsets: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  offsets = await startUpstream((request, response) => answer(request, response));
  gateway = await startGateway({ OFFSETS_URL: offsets.url });
});
beforeEach(() => {
  answer = says(200, 'application/json; charset=utf-8', PAGE, { link: LINK });
});
afterAll(async () => {
  await gateway.close();
  await offsets.close();
});

describe('GET /v1/offsets without an id', () => {
  it('gives the offsets service’s page byte for byte, with the way to the next one', async () => {
    const given = await gateway.ask({ path: '/v1/offsets' });
    expect([given.status, given.body.toString(), given.headers.link]).toEqual([200, PAGE, LINK]);
  });

  it.each(['', '?', '?limit=2&cursor=a%2Bb', '?customerRef=a+b&status=queued', '?limit=1&limit=2', '?&&', '?Id=1'])(
    'passes the query on as it was sent: %s',
    async (query) => {
      await gateway.ask({ path: `/v1/offsets${query}` });
      expect(offsets.asked.at(-1)).toMatchObject({
        path: `/v1/offsets${query}`,
        headers: { 'x-account': 'default' },
      });
    },
  );

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

  it('is 503 when the offsets service is away', async () => {
    const alone = await startGateway();
    try {
      expect(await alone.ask({ path: '/v1/offsets' })).toEqual(problem(503, 'service_unavailable'));
    } finally {
      await alone.close();
    }
  });
});
