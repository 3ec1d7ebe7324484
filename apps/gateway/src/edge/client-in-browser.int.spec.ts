import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { type Opened, openPage } from '../docs-page/test-browser.js';
import { startGateway, type TestGateway } from '../test-gateway.js';
import { TestKeyFile, testKey } from '../test-keys.js';
import { startUpstream, type TestUpstream } from '../test-upstream.js';

const CLIENT = resolve(import.meta.dirname, '../../../../libs/client/dist');

/** A page of somebody's, and the files of the client beside it, as they are built. */
const page: RequestListener = ({ url = '/' }, response) => {
  if (!url.endsWith('.js'))
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title>');
  response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(CLIENT, url)));
};

/** A page of a search, and the link to the next but on the last. */
const catalog: RequestListener = ({ url = '' }, response) => {
  const isLast = url.includes('cursor');
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'x-total-count': '2',
    etag: '"1"',
    ...(!isLast && { link: `<${url}&cursor=x>; rel="next"` }),
  });
  response.end(JSON.stringify([{ ticker: isLast ? 'NCT' : 'BCT' }]));
};

const key = testKey('shop');
const keys = new TestKeyFile(key);
let site: TestUpstream;
let library: TestUpstream;
let gateway: TestGateway;
let opened: Opened;

beforeAll(async () => {
  [site, library] = await Promise.all([startUpstream(page), startUpstream(catalog)]);
  gateway = await startGateway({ CORS_ORIGINS: site.url, CATALOG_URL: library.url, API_KEYS_FILE: keys.path });
  opened = await openPage(site.url);
});

afterAll(async () => {
  await opened?.close();
  await Promise.all([gateway?.close(), site.close(), library.close()]);
  keys.remove();
});

/** What a script on the page answers, which has the client and where to find the gateway. */
async function onPage(script: string, options: object = { key: key.text }): Promise<unknown> {
  const given = JSON.stringify({ baseUrl: gateway.url, ...options });
  return await opened.page.evaluate(`import('/index.js').then(async (client) => {
    const carbon = new client.CarbonClient(${given});
    ${script}
  })`);
}

describe('the client on a page of another origin', () => {
  it('has an offset accepted once, also when it is sent twice', async () => {
    const twice = `
      const first = await carbon.offsets.create({ kgCO2e: 5 }, { idempotencyKey: 'cart-7' });
      const again = await carbon.offsets.create({ kgCO2e: 5 }, { idempotencyKey: 'cart-7' });
      return [first.id === again.id, first.replayed, again.replayed, (await carbon.offsets.create({ kgCO2e: 6 })).idempotencyKey];`;
    expect(await onPage(twice)).toEqual([true, false, true, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await gateway.requested()).toHaveLength(2);
  });

  it('walks a search page by page', async () => {
    const walk = `
      const search = carbon.pools.search({ criteria: client.where.pools(({ name }) => name.words('"ü"')) });
      const tickers = [];
      for await (const { ticker } of search) tickers.push(ticker);
      const { total, etag, cursor } = await search.page();
      return { tickers, total, etag, cursor };`;
    expect(await onPage(walk)).toEqual({ tickers: ['BCT', 'NCT'], total: 2, etag: '"1"', cursor: 'x' });
    expect(library.asked[0]?.path).toContain(
      `criteria=${new URLSearchParams([['', 'name:"\\"ü\\""']]).toString().slice(1)}&`,
    );
  });

  it('is told what is wrong', async () => {
    const wrong = `
      return carbon.offsets.create({ kgCO2e: -1 }).catch((error) =>
        [error instanceof client.InvalidRequestError, error.errors[0].field, typeof error.requestId]);`;
    expect(await onPage(wrong)).toEqual([true, 'kgCO2e', 'string']);
    const strange = 'return carbon.offsets.get("x").catch((error) => [error.name, error.status]);';
    expect(await onPage(strange, {})).toEqual(['UnauthorizedError', 401]);
  });

  it('says so when the service cannot be reached, and when it is told to stop', async () => {
    const away = 'return carbon.offsets.get("x").catch((error) => error.name);';
    expect(await onPage(away, { baseUrl: 'http://127.0.0.1:9', tries: 2 })).toBe('NetworkError');
    const stopped = `
      return carbon.offsets.get("x", { signal: AbortSignal.abort() }).catch((error) => error.name);`;
    expect(await onPage(stopped)).toBe('AbortError');
  });
});
