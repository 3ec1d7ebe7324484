import { startGateway, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

const SHOP = 'https://shop.example';

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  const headers = {
    etag: '"1"',
    'cache-control': 'private, max-age=1',
    link: '</v1/assets/pools?cursor=x>; rel="next"',
  };
  upstream = await startUpstream(says(200, 'application/json; charset=utf-8', '[]', headers));
  gateway = await startGateway({ CATALOG_URL: upstream.url, CORS_ORIGINS: SHOP });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ANSWERS = [
  ['an accepted offset', { method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } }],
  ['a search', { path: '/v1/assets/pools?criteria=&fullTextSearch=' }],
  ['an offset that is not there', { path: '/v1/offsets?id=x' }],
  ['an app that is away', { path: '/v1/offsets' }],
  ['an unknown address', { path: '/v1/nothing' }],
  ['a preflight', { method: 'OPTIONS', path: '/v1/offsets', headers: { 'access-control-request-method': 'POST' } }],
  ['a page', { path: '/problems/not_found' }],
  ['a probe', { path: '/health/live' }],
  ['the metrics', { path: '/metrics' }],
] as const;

describe('every answer of the gateway', () => {
  it.each(ANSWERS)(
    'tells browsers to guess nothing, load nothing and tell nobody where they were: %s',
    async (_, question) => {
      const { headers } = await gateway.ask(question);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
        'cross-origin-resource-policy': 'same-origin',
      });
      for (const name of ['server', 'x-powered-by', 'strict-transport-security'])
        expect(headers).not.toHaveProperty(name);
    },
  );

  it('may be kept by nobody where it belongs to an account', async () => {
    for (const [, question] of ANSWERS.slice(2, 6)) {
      expect((await gateway.ask(question)).headers['cache-control']).toBe('no-store');
    }
    expect((await gateway.ask(ANSWERS[0][1])).headers['cache-control']).toBe('no-store');
    expect((await gateway.ask(ANSWERS[1][1])).headers['cache-control']).toBe('private, max-age=1');
  });

  it.each(ANSWERS)('may be read by a page of a configured origin, and by no other: %s', async (_, question) => {
    const asked = (origin: string) =>
      gateway.ask({ ...question, headers: { ...('headers' in question ? question.headers : {}), origin } });
    const { headers } = await asked(SHOP);
    expect(headers['access-control-allow-origin']).toBe(SHOP);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const other = (await asked('https://evil.example')).headers;
    expect(Object.keys(other).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
