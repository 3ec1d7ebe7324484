import { CANARY } from '@carbon/testing';
import { problem } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { exchange } from '../../test-wire.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader();
});
afterAll(() => gateway.close());

describe('an address where nothing is', () => {
  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v2/offsets',
    '/v1/Offsets',
    '/v1/offsets/',
    '//v1/offsets',
    '/v1/offsets/x',
    '/.env',
    '/admin',
    // What no log may hold: all logs are searched for it when the tests have ended.
    `/v1/offsets/${CANARY}`,
    '/v1/cl%5Flive%5F0123456789ab%5Faaaaaaaaaaaaaaaa',
  ])('is 404: %s', async (path) => expect(await gateway.ask({ path })).toEqual(problem(404, 'not_found')));

  it('is told, where a browser goes first, what to open instead', async () => {
    const [root, other] = [await gateway.ask({ path: '/' }), await gateway.ask({ path: '/v1' })];
    expect(root.json).toMatchObject({ detail: expect.stringContaining('The API is described at /docs.') });
    expect(other.json).toMatchObject({ detail: expect.not.stringContaining('/docs') });
  });

  it('is 404 for every method, whatever its body', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      expect(await gateway.ask({ method, path: '/v1/nothing' })).toEqual(problem(404, 'not_found'));
    }
    const large = { method: 'POST', path: '/v1/nothing', body: 'x'.repeat(20_000) };
    expect(await gateway.ask(large)).toEqual(problem(404, 'not_found'));
  });

  it('is 404 where the target is no path', async () => {
    const wire = 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await exchange(gateway.url, wire)).toEqual(problem(404, 'not_found'));
  });
});

describe('CONNECT', () => {
  it('is 405: the gateway is no proxy', async () => {
    const answer = await exchange(gateway.url, 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toEqual(problem(405, 'method_not_allowed'));
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
  });
});
