import { gatewayBefore } from '../../test-before.js';
import { says } from '../../test-upstream.js';

const FOUND = '[{"ticker":"BCT",  "name":"Base Carbon Tonne"}]';
const catalog = gatewayBefore('CATALOG_URL');

describe.each(['pools', 'projects', 'schema'])('GET /v1/assets/%s', (what) => {
  const path = `/v1/assets/${what}?criteria=name:%20%22a%26b%22+and+x&fullTextSearch=`;
  const head = {
    link: `</v1/assets/${what}?cursor=abc>; rel="next"`,
    'x-total-count': '57',
    etag: '"abc"',
    'cache-control': 'private, max-age=1',
    age: '1',
  };

  beforeEach(() => catalog.answers(says(200, 'application/json; charset=utf-8', FOUND, head)));

  it('gives the catalog’s answer byte for byte, with what it says about it', async () => {
    const given = await catalog.ask({ path });
    expect([given.status, given.body.toString()]).toEqual([200, FOUND]);
    expect(given.headers).toMatchObject({ ...head, 'content-type': 'application/json; charset=utf-8' });
  });

  it('passes the query on as it was sent, and says who asks and what they have', async () => {
    await catalog.ask({ path, headers: { 'x-request-id': 'search-7', 'if-none-match': 'W/"a", "b"' } });
    expect(catalog.asked.at(-1)).toMatchObject({
      path,
      headers: { 'x-account': 'default', 'x-request-id': 'search-7', 'if-none-match': 'W/"a", "b"' },
    });
  });

  it('says of nobody that they have something', async () => {
    await catalog.ask({ path });
    expect(catalog.asked.at(-1)?.headers).not.toHaveProperty('if-none-match');
  });

  it('answers HEAD with the head of GET, and with no body', async () => {
    const [got, head] = [await catalog.ask({ path }), await catalog.ask({ path, method: 'HEAD' })];
    const own = ({ headers: { date, 'x-request-id': id, ...same } }: typeof got) => same;
    expect([head.status, head.body.length, own(head)]).toEqual([200, 0, own(got)]);
    expect(head.headers['content-length']).toBe(String(FOUND.length));
  });
});
