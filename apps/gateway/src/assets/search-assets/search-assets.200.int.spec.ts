import { startReader, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

const FOUND = '[{"ticker":"BCT",  "name":"Base Carbon Tonne"}]';

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

describe.each(['pools', 'projects'])('GET /v1/assets/%s', (what) => {
  const path = `/v1/assets/${what}?criteria=name:%20%22a%26b%22+and+x&fullTextSearch=`;

  it('gives the catalog’s answer byte for byte', async () => {
    const link = `</v1/assets/${what}?cursor=abc>; rel="next"`;
    answer = says(200, 'application/json; charset=utf-8', FOUND, { link, 'cache-control': 'private, max-age=1' });
    const given = await gateway.ask({ path });
    expect([given.status, given.body.toString()]).toEqual([200, FOUND]);
    expect(given.headers).toMatchObject({ link, 'cache-control': 'private, max-age=1' });
  });

  it('passes the query on as it was sent, and says who asks', async () => {
    await gateway.ask({ path, headers: { 'x-request-id': 'search-7' } });
    expect(catalog.asked.at(-1)).toMatchObject({
      path,
      headers: { 'x-account': 'default', 'x-request-id': 'search-7' },
    });
  });
});
