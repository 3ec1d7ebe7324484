import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually, metricValue, readExposition } from '@carbon/testing';
import { SEARCH, type TestGateway, useGateway } from '../testing/gateway.js';
import { countByStatus, problem, type TestResponse } from '../testing/http.js';
import { TestPlans, testKey } from '../testing/keys.js';
import { useStub } from '../testing/stub-server.js';

/** One a second, so that few requests are regained during a test compared to the burst. */
const SMALL = { perSecond: 1, burst: 40 };
const AT_START = 10;
/** More than the burst, however long ago the start was. */
const TOO_MANY = 60;

const catalog = useStub();

const searches = (to: TestGateway, count: number, headers: Readonly<Record<string, string>> = {}, path = SEARCH) =>
  Promise.all(Array.from({ length: count }, () => to.send({ path, headers })));
const namesLimit = ({ headers }: TestResponse) => Object.keys(headers).some((name) => name.startsWith('ratelimit'));

describe('a gateway with plans', () => {
  const names = ['told', 'spent', 'head', 'body', 'counted'];
  const plans = new TestPlans(Object.fromEntries(names.map((name) => [name, SMALL])));
  const gateway = useGateway(() => ({
    CATALOG_URL: catalog.url,
    API_KEYS_FILE: plans.path,
    RATE_LIMIT_FAILED_KEYS: '1/80',
  }));
  const headersOf = (plan: string) => plans.keyOf(plan).headers;
  const search = (plan: string) => gateway.send({ path: SEARCH, headers: headersOf(plan) });

  /**
   * Sends more than the remaining requests, and returns one of the refusals; a moment later another request may be
   * admitted.
   */
  async function spend(plan: string): Promise<TestResponse> {
    const responses = await searches(gateway, TOO_MANY, headersOf(plan));
    const refused = responses.find(({ status }) => status === 429);
    if (refused === undefined) throw new Error('no request was refused');
    return refused;
  }

  it('sends plan, remainder and reset with every response', async () => {
    const headers = headersOf('told');
    const responses = [
      await gateway.send({ path: SEARCH, headers }),
      await gateway.send({ path: SEARCH, headers, method: 'HEAD' }),
      await gateway.send({ path: '/v1/offsets?id=nonsense', headers }),
      await gateway.send({ path: '/v1/offsets', headers, method: 'POST', body: '{' }),
      await gateway.send({ path: '/v1/offsets', headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 415, 503]);
    for (const response of responses) {
      expect(response.headers['ratelimit-policy']).toBe('"told";q=40;w=40');
      expect(response.headers.ratelimit).toMatch(/^"told";r=\d+;t=1$/);
    }
    const left = responses.map(({ headers: { ratelimit } }) => Number(/r=(\d+)/.exec(String(ratelimit))?.[1]));
    expect(left[0]).toBeGreaterThanOrEqual(AT_START - 1);
    expect(Math.min(...left)).toBe(left.at(-1));
    expect((await search('default')).headers['ratelimit-policy']).toBe('"default";q=200;w=2');
  });

  it('sends no limit headers before authentication', async () => {
    const headers = headersOf('told');
    const responses = [
      await gateway.send({ path: SEARCH, headers, method: 'DELETE' }),
      await gateway.send({ path: SEARCH, headers: { ...headers, accept: 'text/csv' } }),
      await gateway.send({ path: `${SEARCH}${'x'.repeat(17_000)}`, headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([405, 406, 414]);
    expect(responses.filter(namesLimit)).toEqual([]);
  });

  it('refuses a key beyond its limit, and says how long to wait', async () => {
    const refused = await spend('spent');
    expect(refused).toEqual(problem(429, 'rate_limited', { detail: expect.stringContaining('The plan "spent"') }));
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"spent";q=40;w=40',
      ratelimit: '"spent";r=0;t=1',
      'cache-control': 'no-store',
    });
  });

  it('serves it again after that time', async () => {
    const refused = await spend('head');
    await new Promise((resolve) => setTimeout(resolve, Number(refused.headers['retry-after']) * 1_000));
    expect((await search('head')).status).toBe(200);
  });

  it('forwards no more than the limit for a greedy key, and serves another key meanwhile', async () => {
    const before = catalog.requests.length;
    const [greedy, others] = await Promise.all([
      searches(gateway, 300, headersOf('counted')),
      searches(gateway, 20, headersOf('unlimited')),
    ]);
    const { 200: served = 0, ...refused } = countByStatus(greedy);
    expect(served).toBeGreaterThanOrEqual(AT_START);
    // The regained requests since the start of the gateway are at most the seconds that this file has run.
    expect(served).toBeLessThanOrEqual(AT_START + Math.ceil(performance.now() / 1_000));
    expect(refused).toEqual({ 429: 300 - served });
    expect(countByStatus(others)).toEqual({ 200: 20 });
    expect(catalog.requests.length - before).toBe(served + 20);
  });

  it('refuses before a byte of the body has arrived', async () => {
    const { hostname, port } = new URL(gateway.url);
    const { authorization } = headersOf('body');
    const head = ['POST /v1/offsets HTTP/1.1', 'host: x', `authorization: ${authorization}`];
    const sockets = Array.from({ length: TOO_MANY }, () => connect({ host: hostname, port: Number(port) }));
    for (const socket of sockets)
      socket.write(`${[...head, 'content-type: application/json', 'content-length: 16000'].join('\r\n')}\r\n\r\n`);
    // An admitted request waits for its body, which never comes.
    const [answer] = await Promise.race(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 429 /);
  });

  it('counts decisions by limit and outcome, never by caller', async () => {
    const page = (await gateway.send({ path: '/metrics' })).body.toString();
    const families = readExposition(page);
    for (const outcome of ['admitted', 'refused']) {
      const labels = { limit: 'key', outcome, store: 'local' };
      expect(metricValue(families, 'carbon_gateway_rate_limit_decisions_total', labels)).toBeGreaterThan(AT_START);
    }
    expect(metricValue(families, 'carbon_gateway_rate_limit_buckets', { limit: 'key' })).toBeGreaterThan(0);
    expect(page).not.toContain(plans.keyOf('spent').entry.id);
  });

  it.each<[string, string, string | undefined]>([
    ['a key without a limit', SEARCH, 'unlimited'],
    ['a probe', '/health/live', undefined],
    ['the metrics', '/metrics', undefined],
    ['a page', '/problems/rate_limited', undefined],
  ])('neither limits nor counts %s', async (_, path, plan) => {
    const responses = await searches(gateway, 100, plan === undefined ? {} : headersOf(plan), path);
    expect(countByStatus(responses)).toEqual({ 200: 100 });
    expect(responses.filter(namesLimit)).toEqual([]);
  });

  it('responds with 429 instead of 401 eventually, whatever is wrong with the keys, and still accepts a valid key from the same address', async () => {
    const unknown = testKey('nobody').text;
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Basic x' },
      { authorization: `Bearer ${unknown}` },
      { authorization: `Bearer ${plans.keyOf('unlimited').text.slice(0, -1)}?` },
      { 'x-api-key': unknown },
    ];
    const sendWrong = () => Promise.all(wrong.map((headers) => gateway.send({ path: SEARCH, headers })));
    const first = await sendWrong();
    expect(countByStatus(first)).toEqual({ 401: wrong.length });
    expect(first.filter(namesLimit)).toEqual([]);
    await searches(gateway, 100);
    await eventually(async () => {
      for (const response of await sendWrong()) {
        expect(response).toEqual(problem(429, 'rate_limited', { detail: expect.stringContaining('valid key') }));
        expect(response.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '"failed-keys";q=80;w=80' });
      }
    });
    expect((await search('unlimited')).status).toBe(200);
  });
});

describe('an open gateway', () => {
  const unlimited = useGateway(() => ({ CATALOG_URL: catalog.url }));
  // So slow that nothing is regained during a test.
  const RATE_LIMIT_OPEN = '0.01/40';
  const limited = useGateway(() => ({ CATALOG_URL: catalog.url, RATE_LIMIT_OPEN }));
  const behindProxy = useGateway(() => ({
    CATALOG_URL: catalog.url,
    RATE_LIMIT_OPEN,
    TRUSTED_PROXIES: '127.0.0.1',
  }));
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('has no limit unless set', async () => {
    const responses = await searches(unlimited, 300);
    expect(countByStatus(responses)).toEqual({ 200: 300 });
    expect(responses.filter(namesLimit)).toEqual([]);
  });

  it('limits an address, whatever its X-Forwarded-For says', async () => {
    expect(countByStatus(await searches(limited, TOO_MANY, from('198.51.100.1')))).toHaveProperty('429');
    const [other] = await searches(limited, 1, from('198.51.100.2'));
    expect(other).toEqual(
      problem(429, 'rate_limited', { detail: expect.stringContaining('each address 0.01 requests') }),
    );
    expect(other?.headers['ratelimit-policy']).toBe('"open";q=40;w=4000');
  });

  it('limits callers behind a trusted proxy separately, by IPv6 /64 networks', async () => {
    await searches(behindProxy, TOO_MANY, from('2001:db8:0:1::5'));
    const statusFrom = async (address: string) => (await searches(behindProxy, 1, from(address)))[0]?.status;
    expect(await statusFrom('2001:db8:0:1:ffff::6')).toBe(429);
    expect(await statusFrom('2001:db8:0:2::5')).toBe(200);
    expect(await statusFrom('2001:db8:0:2::5, 2001:db8:0:1::5')).toBe(429);
  });
});
