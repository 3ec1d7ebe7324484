import { brotliDecompressSync } from 'node:zlib';
import { SEARCH, startPublishingGateway, useGateway } from './testing/gateway.js';
import type { TestRequest } from './testing/http.js';
import { json, useStub } from './testing/stub-server.js';

const SHOP = 'https://shop.example';

const catalog = useStub(json('[]', { etag: '"1"', 'cache-control': 'private, max-age=1' }));
const gateway = useGateway(() => ({ CATALOG_URL: catalog.url, CORS_ORIGINS: SHOP }), startPublishingGateway);

const PREFLIGHT = { 'access-control-request-method': 'POST' };
/** Responses by kind, with the `Cache-Control` of those that belong to an account. */
const RESPONSES: readonly (readonly [string, TestRequest, string | undefined])[] = [
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

describe('every response of the gateway', () => {
  it.each(RESPONSES)('has security headers, and allows a configured origin and no other: %s', async (_, request) => {
    const headersFor = async (origin: string) =>
      (await gateway.send({ ...request, headers: { ...request.headers, origin } })).headers;
    const headers = await headersFor(SHOP);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
      'cross-origin-resource-policy': 'same-origin',
      'access-control-allow-origin': SHOP,
      vary: 'Origin, accept-encoding',
    });
    const other = await headersFor('https://evil.example');
    expect(Object.keys(other).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('is cached only privately or not at all where it belongs to an account', async () => {
    for (const [name, request, cacheControl] of RESPONSES.filter(([, , cacheControl]) => cacheControl !== undefined)) {
      const { headers } = await gateway.send(request);
      expect([name, headers['cache-control']]).toEqual([name, cacheControl]);
    }
  });

  it('is compressed from 1 kB, with an entity tag of the encoding, for a client that accepts it', async () => {
    const assets = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id })));
    catalog.respond((request, response) => {
      const knows = request.headers['if-none-match']?.includes('"1"') ?? false;
      if (knows) response.writeHead(304, { etag: '"1"' }).end();
      else json(assets, { etag: '"1"' })(request, response);
    });
    const search = (headers: Record<string, string>) =>
      gateway.send({ path: SEARCH, headers: { 'accept-encoding': 'br', ...headers } });
    const first = await search({});
    expect(first.headers).toMatchObject({ 'content-encoding': 'br', etag: '"1.br"' });
    expect(brotliDecompressSync(first.body).toString()).toBe(assets);
    const again = await search({ 'if-none-match': '"1.br"' });
    expect([again.status, again.headers.etag, again.headers.vary]).toEqual([304, '"1.br"', 'Origin, accept-encoding']);
    expect((await search({ 'if-none-match': '"1.br"', 'accept-encoding': 'gzip' })).headers.etag).toBe('"1.gzip"');
  });
});
