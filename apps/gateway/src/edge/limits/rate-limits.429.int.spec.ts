import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually, figureOf, readExposition } from '@carbon/testing';
import { type Answer, ask, problem } from '../../test-client.js';
import type { TestGateway } from '../../test-gateway.js';
import { testKey } from '../../test-keys.js';
import { type LimitedGateways, SEARCH, searches, startLimited, tally } from './test-limits.js';

/** One a second, so that what comes back during a test is little beside the burst. */
const SMALL = { perSecond: 1, burst: 40 };
const AT_START = 10;
/** More than the burst, however long ago the start was. */
const TOO_MANY = 60;

let limited: LimitedGateways;
let gateway: TestGateway;
beforeAll(async () => {
  const names = ['told', 'spent', 'head', 'body', 'writes', 'counted'];
  limited = await startLimited(Object.fromEntries(names.map((name) => [name, SMALL])), {
    RATE_LIMIT_FAILED_KEYS: '1/80',
  });
  [gateway] = limited.gateways as [TestGateway];
});
afterAll(() => limited.close());

const search = (plan: string) => gateway.ask({ path: SEARCH, headers: limited.plans.of(plan).headers });

/** Asks for more than is left, and gives one of the refusals: some moments later there may be one to be had again. */
async function spend(plan: string): Promise<Answer> {
  const answers = await searches(gateway.url, TOO_MANY, limited.plans.of(plan).headers);
  const refused = answers.find(({ status }) => status === 429);
  if (refused === undefined) throw new Error('nobody was turned away');
  return refused;
}

describe('a key with a limit', () => {
  it('is told its plan, what is left, and when there is more, with every answer', async () => {
    const { headers } = limited.plans.of('told');
    const answers = [
      await gateway.ask({ path: SEARCH, headers }),
      await gateway.ask({ path: SEARCH, headers, method: 'HEAD' }),
      await gateway.ask({ path: '/v1/offsets?id=nonsense', headers }),
      await gateway.ask({ path: '/v1/offsets', headers, method: 'POST', body: '{' }),
      await gateway.ask({ path: '/v1/offsets', headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 415, 503]);
    for (const answer of answers) {
      expect(answer.headers['ratelimit-policy']).toBe('"told";q=40;w=40');
      expect(answer.headers.ratelimit).toMatch(/^"told";r=\d+;t=1$/);
    }
    const left = answers.map(({ headers: { ratelimit } }) => Number(/r=(\d+)/.exec(String(ratelimit))?.[1]));
    expect(left[0]).toBeGreaterThanOrEqual(AT_START - 1);
    expect(Math.min(...left)).toBe(left.at(-1));
  });

  it('is told nothing of it by what is refused before it is asked who calls', async () => {
    const { headers } = limited.plans.of('told');
    const answers = [
      await gateway.ask({ path: SEARCH, headers, method: 'DELETE' }),
      await gateway.ask({ path: SEARCH, headers: { ...headers, accept: 'text/csv' } }),
      await gateway.ask({ path: `${SEARCH}${'x'.repeat(17_000)}`, headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 406, 414]);
    for (const answer of answers) expect(Object.keys(answer.headers).join()).not.toContain('ratelimit');
  });

  it('is told the plan that every key has when nothing else is said', async () => {
    expect((await search('default')).headers['ratelimit-policy']).toBe('"default";q=200;w=2');
  });

  it('is turned away beyond it, and told how long to wait', async () => {
    const refused = await spend('spent');
    expect(refused).toEqual(problem(429, 'rate_limited', { detail: expect.stringContaining('The plan "spent"') }));
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"spent";q=40;w=40',
      ratelimit: '"spent";r=0;t=1',
      'cache-control': 'no-store',
    });
  });

  it('is served again after the time it was told', async () => {
    const refused = await spend('head');
    await new Promise((resolve) => setTimeout(resolve, Number(refused.headers['retry-after']) * 1_000));
    expect((await search('head')).status).toBe(200);
  });

  it('gives no more than is there at the start and comes back meanwhile', async () => {
    const begun = performance.now();
    const answers = await searches(gateway.url, TOO_MANY, limited.plans.of('counted').headers);
    const seconds = (performance.now() - begun) / 1_000;
    const served = tally(answers)[200] ?? 0;
    expect(served).toBeGreaterThanOrEqual(AT_START);
    // What came back since the start of the gateway cannot be more than this file has run.
    expect(served).toBeLessThanOrEqual(AT_START + performance.now() / 1_000 + seconds);
    expect(tally(answers)).toEqual({ 200: served, 429: TOO_MANY - served });
  });

  it('is turned away before a byte of the body has come', async () => {
    const { hostname, port } = new URL(gateway.url);
    const { authorization } = limited.plans.of('body').headers;
    const head = ['POST /v1/offsets HTTP/1.1', 'host: x', `authorization: ${authorization}`];
    await eventually(async () => {
      await spend('body');
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(`${[...head, 'content-type: application/json', 'content-length: 16000'].join('\r\n')}\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      socket.destroy();
      expect(String(answer)).toMatch(/^HTTP\/1\.1 429 /);
    });
  });

  it('counts in the metrics by what was limited and what came of it, and never by whose it was', async () => {
    const page = (await gateway.ask({ path: '/metrics' })).body.toString();
    const families = readExposition(page);
    const decisions = (labels: object) =>
      figureOf(families, 'carbon_gateway_rate_limit_decisions_total', { ...labels });
    expect(decisions({ limit: 'key', outcome: 'admitted', counters: 'own' })).toBeGreaterThan(AT_START);
    expect(decisions({ limit: 'key', outcome: 'refused', counters: 'own' })).toBeGreaterThan(AT_START);
    expect(figureOf(families, 'carbon_gateway_rate_limit_buckets', { limit: 'key' })).toBeGreaterThan(0);
    expect(page).not.toContain(limited.plans.of('spent').entry.id);
  });
});

describe('a key without a limit', () => {
  it('is not counted, and told nothing', async () => {
    const answers = await searches(gateway.url, 300, limited.plans.of('unlimited').headers);
    expect(tally(answers)).toEqual({ 200: 300 });
    expect(Object.keys(answers[0]?.headers ?? {}).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });
});

describe('an address without a valid key', () => {
  it('is answered 429 instead of 401 in the end, whatever is wrong with its keys, while a valid key from there is served', async () => {
    const unknown = testKey('nobody').text;
    const known = limited.plans.of('unlimited').text;
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Basic x' },
      { authorization: `Bearer ${unknown}` },
      { authorization: `Bearer ${known.slice(0, -1)}?` },
      { 'x-api-key': unknown },
    ];
    const first = await Promise.all(wrong.map((headers) => gateway.ask({ path: SEARCH, headers })));
    expect(tally(first)).toEqual({ 401: wrong.length });
    for (const answer of first) expect(Object.keys(answer.headers).join()).not.toContain('ratelimit');
    await Promise.all(Array.from({ length: 100 }, () => gateway.ask({ path: SEARCH })));
    const later = await eventually(async () => {
      const answers = await Promise.all(wrong.map((headers) => gateway.ask({ path: SEARCH, headers })));
      expect(tally(answers)).toEqual({ 429: wrong.length });
      return answers;
    });
    for (const answer of later) {
      expect(answer).toEqual(problem(429, 'rate_limited', { detail: expect.stringContaining('valid key') }));
      expect(answer.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '"failed-keys";q=80;w=80' });
    }
    expect((await search('unlimited')).status).toBe(200);
  });
});

describe('what needs no key', () => {
  it('is not limited', async () => {
    for (const path of ['/health/live', '/metrics', '/problems/rate_limited']) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(gateway.url, { path })));
      expect([path, tally(answers)]).toEqual([path, { 200: 50 }]);
    }
  });
});
