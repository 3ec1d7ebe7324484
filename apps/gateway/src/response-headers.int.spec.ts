import { SEARCH, startPublishingGateway, useGateway } from './testing/gateway.js';
import type { TestRequest } from './testing/http.js';
import { json, useStub } from './testing/stub-server.js';

const SHOP = 'https://shop.example';

const catalog = useStub(json('[]', { etag: '"1"', 'cache-control': 'private, max-age=1' }));
const gateway = useGateway(() => ({ CATALOG_URL: catalog.url, CORS_ORIGINS: SHOP }), startPublishingGateway);

const PREFLIGHT = { 'access-control-request-method': 'POST' };
/** Answers by kind, with the `Cache-Control` of those that belong to an account. */
const ANSWERS: readonly (readonly [string, TestRequest, string | undefined])[] = [
  ['an accepted offset', { method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } }, 'no-store'],
  ['a search', { path: SEARCH }, 'private, max-age=1'],
  ['an offset that is not there', { path: '/v1/offsets?id=x' }, 'no-store'],
  ['an app that is away', { path: '/v1/offsets' }, 'no-store'],
  ['an unknown address', { path: '/v1/nothing' }, 'no-store'],
  ['a preflight', { method: 'OPTIONS', path: '/v1/offsets', headers: PREFLIGHT }, 'no-store'],
  ['a page', { path: '/problems/not_found' }, undefined],
  ['a probe', { path: '/health/live' }, undefined],
  ['the metrics', { path: '/metrics' }, undefined],
];

describe('every answer of the gateway', () => {
  it.each(ANSWERS)(
    'tells browsers to guess nothing, load nothing and tell nobody where they were: %s',
    async (_, request) => {
      const { headers } = await gateway.send(request);
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
    for (const [name, request, cacheControl] of ANSWERS.filter(([, , cacheControl]) => cacheControl !== undefined)) {
      const { headers } = await gateway.send(request);
      expect([name, headers['cache-control']]).toEqual([name, cacheControl]);
    }
  });

  it.each(ANSWERS)('may be read by a page of a configured origin, and by no other: %s', async (_, request) => {
    const headersFor = async (origin: string) =>
      (await gateway.send({ ...request, headers: { ...request.headers, origin } })).headers;
    const headers = await headersFor(SHOP);
    expect(headers['access-control-allow-origin']).toBe(SHOP);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const other = await headersFor('https://evil.example');
    expect(Object.keys(other).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
