import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { FROM_GATEWAY, searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';

describe('a search of who has the answer already', () => {
  const { library, catalog } = catalogWith(
    ...['a', 'b', 'c'].map((end) => asset(`pool_${end}`, { ticker: end, rating: 1 })),
  );

  const path = searchPath('pools', { limit: 2 });
  const ask = async (more: { path?: string; method?: string; has?: string; account?: string } = {}) => {
    const headers = {
      ...FROM_GATEWAY,
      'x-account': more.account ?? 'default',
      ...(more.has && { 'if-none-match': more.has }),
    };
    const response = await fetch(catalog.url + (more.path ?? path), { method: more.method ?? 'GET', headers });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const etagOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).headers.get('etag') ?? '';

  it('is told the tag of it, a strong one', async () => {
    expect(await etagOf()).toMatch(/^"[\w-]+"$/);
    expect(await etagOf()).toBe(await etagOf());
  });

  it.each([
    ['the tag', (etag: string) => etag],
    ['the tag, made weak', (etag: string) => `W/${etag}`],
    ['a list with the tag', (etag: string) => `"other", ${etag}`],
    ['*', () => '*'],
  ])('is 304 for %s, with the tag, how long it holds, and no body', async (_, has) => {
    const etag = await etagOf();
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await ask({ method, has: has(etag) });
      expect([status, body]).toEqual([304, '']);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([etag, 'private, max-age=1']);
      for (const name of ['content-type', 'content-length', 'link', 'x-total-count'])
        expect(headers.get(name)).toBeNull();
    }
  });

  it('is 200 for any other tag', async () => {
    expect(await ask({ has: '"other"' })).toMatchObject({ status: 200, body: expect.stringMatching(/^\[/) });
  });

  it('is still told what is wrong, whatever they have', async () => {
    expect((await ask({ path: '/v1/assets/pools?criteria=', has: '*' })).status).toBe(400);
  });

  it('has another tag for another page, other fields, and the link of another account', async () => {
    const tags = [
      await etagOf(),
      await etagOf({ account: 'other' }),
      await etagOf({ path: searchPath('pools') }),
      await etagOf({ path: searchPath('pools', { limit: 2, fields: 'id' }) }),
      await etagOf({ path: searchPath('pools', { limit: 2, sort: '-name' }) }),
      await etagOf({ path: searchPath('projects', { limit: 2 }) }),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('answers HEAD as GET, with the length of the body and without it', async () => {
    const [got, head] = [await ask(), await ask({ method: 'HEAD' })];
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'link', 'x-total-count', 'content-length', 'content-type', 'cache-control']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(got.body)));
  });

  it('is 200 with another tag when no more than the total has changed', async () => {
    const etag = await etagOf();
    await library.publish(asset('pool_d', { rating: 0 }));
    const { status, headers, body } = await eventually(async () => {
      const answer = await ask({ has: etag });
      expect(answer.status).toBe(200);
      return answer;
    });
    expect([status, headers.get('x-total-count'), JSON.parse(body).length]).toEqual([200, '4', 2]);
  });
});
