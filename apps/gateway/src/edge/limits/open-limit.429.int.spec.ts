import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { startReader } from '../../test-gateway.js';
import { says, startUpstream } from '../../test-upstream.js';
import { SEARCH, searches, tally } from './test-limits.js';

describe('an open gateway', () => {
  const { ask } = gatewayBefore('CATALOG_URL');

  it('limits nobody unless it is told to', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask({ path: SEARCH })));
    expect(tally(answers)).toEqual({ 200: 300 });
    expect(answers[0]?.headers.ratelimit).toBeUndefined();
  });
});

describe('an open gateway with a limit', () => {
  const RATE_LIMIT_OPEN = '1/40';
  const started: { close(): Promise<unknown> }[] = [];
  afterAll(async () => {
    for (const server of started.reverse()) await server.close();
  });

  async function start(settings: Record<string, string>) {
    const catalog = await startUpstream(says(200, 'application/json; charset=utf-8', '[]'));
    const gateway = await startReader({ CATALOG_URL: catalog.url, RATE_LIMIT_OPEN, ...settings });
    started.push(catalog, gateway);
    return gateway;
  }

  it('limits an address, whoever it says it is asking for', async () => {
    const { url, ask } = await start({});
    const answers = await searches(url, 60, { 'x-forwarded-for': '198.51.100.1' });
    expect(tally(answers)).toMatchObject({ 200: expect.any(Number), 429: expect.any(Number) });
    const other = await ask({ path: SEARCH, headers: { 'x-forwarded-for': '198.51.100.2' } });
    expect(other).toEqual(problem(429, 'rate_limited', { detail: expect.stringContaining('each address 1 requests') }));
    expect(other.headers['ratelimit-policy']).toBe('"open";q=40;w=40');
  });

  it('limits those behind a trusted proxy apart, by IPv6 networks of 64 bits', async () => {
    const { url, ask } = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    await searches(url, 60, { 'x-forwarded-for': '2001:db8:0:1::5' });
    const from = (address: string) => ask({ path: SEARCH, headers: { 'x-forwarded-for': address } });
    expect((await from('2001:db8:0:1:ffff::6')).status).toBe(429);
    expect((await from('2001:db8:0:2::5')).status).toBe(200);
    expect((await from('2001:db8:0:2::5, 2001:db8:0:1::5')).status).toBe(429);
  });
});
