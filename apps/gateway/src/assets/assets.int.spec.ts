import { request } from 'node:http';
import { eventually, metricValue, readExposition } from '@carbon/testing';
import { SEARCH, startPublishingGateway, useGateway } from '../testing/gateway.js';
import { problem } from '../testing/http.js';
import { holding, json, useStub } from '../testing/stub-server.js';
import { ASSET_PATHS } from './assets.openapi.js';

/** More failures than open the circuit breaker of the catalog. */
const MORE_THAN_THE_BREAKER_ALLOWS = 8;

const [catalog, offsets] = [useStub(), useStub()];
const gateway = useGateway(() => ({ CATALOG_URL: catalog.url, OFFSETS_URL: offsets.url }), startPublishingGateway);
const unchanged = (headers: Record<string, string>) =>
  catalog.respond((_, response) => response.writeHead(304, headers).end());

describe.each(Object.keys(ASSET_PATHS))('GET %s with If-None-Match', (path) => {
  const headers = { 'if-none-match': 'W/"a", "abc"' };
  const about = { etag: '"abc"', 'cache-control': 'private, max-age=1' };

  it.each(['GET', 'HEAD'])('is 304 with the tag, without a body and its type (%s)', async (method) => {
    unchanged(about);
    const response = await gateway.send({ method, path, headers });
    expect([response.status, response.body.length]).toEqual([304, 0]);
    expect(response.headers).toMatchObject(about);
    for (const name of ['content-type', 'content-length', 'transfer-encoding'])
      expect(response.headers).not.toHaveProperty(name);
    expect(catalog.requests.at(-1)?.headers).toMatchObject(headers);
  });

  it('is 503 on a 304 without a tag, or to an unconditional request', async () => {
    unchanged({});
    expect(await gateway.send({ path, headers })).toEqual(problem(503, 'service_unavailable'));
    unchanged(about);
    expect(await gateway.send({ path })).toEqual(problem(503, 'service_unavailable'));
    expect(catalog.requests.at(-1)?.headers).not.toHaveProperty('if-none-match');
    catalog.respond(json('[]'));
    expect((await gateway.send({ path })).status).toBe(200);
  });
});

it('GET /v1/assets/pools does not forward a list of entity tags that the catalog might refuse', async () => {
  catalog.respond(json('[]'));
  const headers = { 'if-none-match': Array.from({ length: 400 }, (_, n) => `"tag-${n}"`).join(', ') };
  expect((await gateway.send({ path: SEARCH, headers })).status).toBe(200);
  expect(catalog.requests.at(-1)?.headers).not.toHaveProperty('if-none-match');
});

describe('GET /v1/assets/pools with a long link to the next page', () => {
  const linking = (bytes: number) => {
    const link = `</v1/assets/pools?cursor=${'x'.repeat(bytes)}>; rel="next"`;
    catalog.respond(json('[]', { link }));
    return link;
  };

  it('forwards the longest link of the catalog', async () => {
    const link = linking(15 * 1024);
    const { status, headers } = await gateway.send({ path: SEARCH });
    expect([status, headers.link]).toEqual([200, link]);
  });

  it('does not open the circuit breaker when a response head is too long', async () => {
    linking(80 * 1024);
    for (let n = 0; n < MORE_THAN_THE_BREAKER_ALLOWS; n += 1)
      expect(await gateway.send({ path: SEARCH })).toEqual(problem(503, 'service_unavailable'));
    linking(10);
    expect((await gateway.send({ path: SEARCH })).status).toBe(200);
  });
});

describe('a search whose client has disconnected', () => {
  /** The searches answered with a problem, and those aborted by their clients. */
  async function counts(): Promise<readonly [number, number]> {
    const metrics = readExposition(await (await fetch(`${gateway.url}/metrics`)).text());
    const route = '/v1/assets/pools';
    const value = (name: string, labels: Readonly<Record<string, string>>) =>
      metricValue(metrics, `carbon_gateway_http_${name}`, labels) ?? 0;
    return [value('problems_total', { route }), value('requests_total', { route, status: 'aborted' })];
  }

  it('is abandoned, and counts neither against the catalog nor as a problem', async () => {
    const before = catalog.requests.length;
    const [problems, aborted] = await counts();
    let abandoned = 0;
    catalog.respond((_, response) => response.on('close', () => (abandoned += 1)));
    for (let n = 1; n <= MORE_THAN_THE_BREAKER_ALLOWS; n += 1) {
      const client = request(gateway.url + SEARCH, { agent: false });
      client.on('error', () => {}).end();
      await eventually(() => expect(catalog.requests).toHaveLength(before + n));
      client.destroy();
      // Long before its deadline.
      await eventually(() => expect(abandoned).toBe(n), { within: 8_000 });
    }
    await eventually(async () => expect((await counts())[1]).toBe(aborted + MORE_THAN_THE_BREAKER_ALLOWS));
    expect((await counts())[0]).toBe(problems);
    catalog.respond(json('[]'));
    expect((await gateway.send({ path: SEARCH })).status).toBe(200);
  });
});

describe('a crowd of searches that the catalog does not answer', () => {
  it('does not block offsets, and is answered when the catalog continues', async () => {
    const searches = holding(json('[]'));
    catalog.respond(searches.listener);
    const responses = Array.from({ length: 100 }, () => gateway.send({ path: SEARCH }));
    // The maximum number of concurrent calls to the catalog.
    await eventually(() => expect(searches.count).toBe(8));
    for (let n = 0; n < 10; n += 1) {
      const create = { method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } };
      expect((await gateway.send(create)).status).toBe(202);
      expect((await gateway.send({ path: '/v1/offsets' })).status).toBe(200);
    }
    expect(searches.count).toBe(8);
    searches.release();
    for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  });
});
