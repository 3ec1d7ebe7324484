import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { duringTests } from '@carbon/testing';
import { type BrowserPage, openPage } from '@carbon/testing/browser';
import { startPublishingGateway, useGateway } from '../testing/gateway.js';
import { TestKeyFile, testKey } from '../testing/keys.js';
import { json, useStub } from '../testing/stub-server.js';
import { openApiDocument } from './openapi-document.js';

const CLIENT = resolve(import.meta.dirname, '../../../../libs/client/dist');

/** Serves a page of another origin together with the built files of the client. */
const page: RequestListener = ({ url = '/' }, response) => {
  const isScript = url.endsWith('.js');
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
  response.end(isScript ? readFileSync(join(CLIENT, url)) : '<title>Shop</title>');
};

/** Returns a page of a search, with a link to the next except on the last. */
const search: RequestListener = (request, response) => {
  const isLast = request.url?.includes('cursor');
  const link = isLast ? undefined : { link: `<${request.url}&cursor=x>; rel="next"` };
  const body = JSON.stringify([{ ticker: isLast ? 'NCT' : 'BCT' }]);
  json(body, { 'x-total-count': '2', etag: '"1"', ...link })(request, response);
};

const key = testKey('shop');
const keys = new TestKeyFile([key]);
const site = useStub(page);
const catalog = useStub(search);
const gateway = useGateway(
  () => ({ CORS_ORIGINS: site.url, CATALOG_URL: catalog.url, API_KEYS_FILE: keys.path }),
  startPublishingGateway,
);

/** Opens a page before the tests of the enclosing block, and closes it after them. */
function useBrowser(url: () => string): BrowserPage {
  return duringTests(
    () => openPage(url()),
    (opened) => opened.close(),
  );
}

describe('/docs in a browser', () => {
  const browser = useBrowser(() => `${gateway.url}/docs`);
  /** Returns the part of the page about one operation. */
  const operation = (id: string) => browser.page.locator(`.opblock[id$="-${id}"]`);

  it('lists every operation and the first steps', async () => {
    await operation('createOffset').waitFor();
    const listed = await browser.page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    const described = Object.values(openApiDocument().paths ?? {}).flatMap(({ get, post } = {}) =>
      [post, get].flatMap((one) => (one === undefined ? [] : [one.operationId])),
    );
    expect(listed.map((id) => id.split('-').at(-1)).sort()).toEqual(described.sort());
    expect(await browser.page.locator('.info').textContent()).toMatch(/First steps[\s\S]*Authenticate/);
  });

  it('sends a request with the entered key, and shows the response', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#auth-bearer-value').fill(key.text);
    await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first().click();
    await operation('createOffset').locator('.opblock-summary-control').click();
    await operation('createOffset').getByRole('button', { name: 'Execute' }).click();
    const live = operation('createOffset').locator('.live-responses-table');
    await live.waitFor();
    expect(await live.textContent()).toMatch(/202[\s\S]*Offset event with ID: off_\w{26} queued for processing\./);
    expect(await gateway.published()).toHaveLength(1);
  });

  it('calls only the gateway, stores nothing, and logs no errors', async () => {
    const { requests, complaints } = browser;
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter((request) => !request.split(' ')[1]?.startsWith(`${gateway.url}/`))).toEqual([]);
    const kept = await browser.page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    expect(kept).toEqual([0, 0, '']);
    expect(complaints).toEqual([]);
  });
});

describe('the client on a page of another origin', () => {
  const browser = useBrowser(() => site.url);

  /** Returns the result of a script on the page, which has the client and the gateway's URL. */
  async function onPage(script: string, options: object = { key: key.text }): Promise<unknown> {
    const given = JSON.stringify({ baseUrl: gateway.url, ...options });
    return await browser.page.evaluate(`import('/index.js').then(async (client) => {
      const carbon = new client.CarbonClient(${given});
      ${script}
    })`);
  }

  it('creates an offset once, also when it is sent twice', async () => {
    const before = (await gateway.published()).length;
    const twice = `
      const first = await carbon.offsets.create({ kgCO2e: 5 }, { idempotencyKey: 'cart-7' });
      const again = await carbon.offsets.create({ kgCO2e: 5 }, { idempotencyKey: 'cart-7' });
      return [first.id === again.id, first.replayed, again.replayed, (await carbon.offsets.create({ kgCO2e: 6 })).idempotencyKey];`;
    expect(await onPage(twice)).toEqual([true, false, true, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await gateway.published()).toHaveLength(before + 2);
  });

  it('walks a search page by page', async () => {
    const walk = `
      const search = carbon.pools.search({ criteria: client.where.pools(({ name }) => name.words('"ü"')) });
      const tickers = [];
      for await (const { ticker } of search) tickers.push(ticker);
      const { total, etag, cursor } = await search.page();
      return { tickers, total, etag, cursor };`;
    expect(await onPage(walk)).toEqual({ tickers: ['BCT', 'NCT'], total: 2, etag: '"1"', cursor: 'x' });
    const criteria = new URLSearchParams({ criteria: 'name:"\\"ü\\""' }).toString();
    expect(catalog.requests[0]?.path).toContain(`${criteria}&`);
  });

  it.each<[string, string, object, unknown]>([
    [
      'a mistake',
      'create({ kgCO2e: -1 }).catch((error) => [error instanceof client.InvalidRequestError, error.errors[0].field])',
      { key: key.text },
      [true, 'kgCO2e'],
    ],
    ['no key', 'get("x").catch(({ name, status }) => [name, status])', {}, ['UnauthorizedError', 401]],
    ['nobody there', 'get("x").catch(({ name }) => name)', { baseUrl: 'http://127.0.0.1:9', tries: 2 }, 'NetworkError'],
    ['a stop', 'get("x", { signal: AbortSignal.abort() }).catch(({ name }) => name)', {}, 'AbortError'],
  ])('rejects with a named error: %s', async (_, call, options, error) => {
    expect(await onPage(`return carbon.offsets.${call};`, options)).toEqual(error);
  });
});
