import type { RequestListener } from 'node:http';
import { CACHED_AGE } from '@carbon/http';
import { eventually } from '@carbon/testing';
import { SEARCH, startGateway, useGateway } from '../testing/gateway.js';
import { TestKeyFile, testKey } from '../testing/keys.js';
import { json, useStub } from '../testing/stub-server.js';

const keys = { one: testKey('one'), two: testKey('two'), unscoped: testKey('one', { scopes: ['offsets:read'] }) };
const file = new TestKeyFile(Object.values(keys));
const catalog = useStub();
const gateway = useGateway(() => ({ CATALOG_URL: catalog.url, API_KEYS_FILE: file.path }), startGateway);

const about = {
  etag: '"abc"',
  link: '</v1/assets/pools?cursor=abc>; rel="next"',
  'x-total-count': '57',
  'x-search-hints': '/v1/assets/hints?kind=pools&criteria=source:A&fullTextSearch=',
};
const cachedFor = (ageMs: number) => json('[{"name": "ü"}]', { ...about, [CACHED_AGE]: String(ageMs) });
const search = (more = {}, key = keys.one) => {
  const headers = { ...key.headers, ...more };
  return gateway.send({ path: SEARCH, headers });
};

/** Counts the requests to the catalog while `work` runs. */
async function callsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = catalog.requests.length;
  await work();
  return catalog.requests.length - before;
}

/** Runs `work` when the response is cached. Runs it again when that took too long. */
async function whileCached(work: () => Promise<void>): Promise<void> {
  await eventually(async () => {
    await search();
    expect(await callsDuring(work)).toBe(0);
  });
}

describe('a response that the catalog had cached', () => {
  beforeEach(() => catalog.respond(cachedFor(0)));

  it('is sent again without a call, with the same bytes and headers', async () => {
    const first = await search();
    await whileCached(async () => {
      const again = await search();
      expect([again.status, again.body.toString()]).toEqual([200, '[{"name": "ü"}]']);
      const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, max-age=1' };
      expect(again.headers).toMatchObject({ ...about, ...type, 'content-length': first.headers['content-length'] });
      expect(again.headers).not.toHaveProperty(CACHED_AGE);
    });
  });

  it('is 304 for a client that has it, and has no body for HEAD', async () => {
    await whileCached(async () => {
      const { status, headers, body } = await search({ 'if-none-match': 'W/"abc"' });
      expect([status, body.length, headers.etag, headers.link]).toEqual([304, 0, '"abc"', undefined]);
      const head = await gateway.send({ method: 'HEAD', path: SEARCH, headers: keys.one.headers });
      expect([head.status, head.body.length, head.headers['x-total-count']]).toEqual([200, 0, '57']);
    });
  });

  it('is sent only to callers with a key and the scope, and not to another account', async () => {
    await whileCached(async () => {
      expect((await gateway.send({ path: SEARCH })).status).toBe(401);
      expect((await search({}, keys.unscoped)).status).toBe(403);
    });
    await search();
    expect(await callsDuring(() => search({}, keys.two))).toBe(1);
  });

  it('is never sent when it is more than a second old, counted from the request to OpenSearch', async () => {
    const [ageMs, answers] = [300, new Set<number>()];
    const listener: RequestListener = (request, response) => {
      const body = JSON.stringify([performance.now() - ageMs]);
      json(body, { etag: '"abc"', [CACHED_AGE]: String(ageMs) })(request, response);
    };
    catalog.respond(listener);
    while (answers.size < 3) {
      const calledAt = performance.now();
      const path = SEARCH.replace('pools', 'projects');
      const { json: assets, headers } = await gateway.send({ path, headers: keys.one.headers });
      const [requestedAt] = assets as [number];
      answers.add(requestedAt);
      expect(calledAt - requestedAt).toBeLessThanOrEqual(1_000);
      expect(Number(headers.age ?? 0)).toBeLessThanOrEqual(1);
    }
  });
});

describe('any other response', () => {
  it.each<[string, RequestListener]>([
    ['was not cached by the catalog', json('[]', about)],
    ['is a second old', cachedFor(1_000)],
    ['has an age that is not a number', json('[]', { ...about, [CACHED_AGE]: 'old' })],
    ['has no tag', json('[]', { [CACHED_AGE]: '0' })],
  ])('is requested again when it %s', async (_, listener) => {
    catalog.respond(listener);
    // What an earlier test has cached.
    await eventually(async () => expect(await callsDuring(search)).toBe(1));
    expect(await callsDuring(() => search().then(() => search()))).toBe(2);
  });
});
