import { SECURITY_HEADERS } from './problem.js';
import { startTestApp, type TestApp } from './testing/app.js';
import { ask, exchange, expectProblem, type RawAnswer, request } from './testing/wire.js';

const ORIGIN = 'https://shop.example';
const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };

let test: TestApp;
let corsApp: TestApp;

beforeAll(async () => {
  test = await startTestApp();
  corsApp = await startTestApp({}, [ORIGIN, 'http://localhost:8080']);
});
afterAll(() => Promise.all([test.app.close(), corsApp.app.close()]));

describe('every response', () => {
  it.each<[string, () => Promise<RawAnswer>]>([
    ['a success', () => ask(test, '/things?criteria=')],
    ['HEAD', () => ask(test, '/things?criteria=', { method: 'HEAD' })],
    ['OPTIONS', () => ask(test, '/things', { method: 'OPTIONS' })],
    ['an invalid request', () => ask(test, '/things')],
    ['an unknown path', () => ask(test, '/nothing')],
    ['a malformed URL', () => exchange(test.port, request('GET /%zz'))],
    ['a bug', () => ask(test, '/things/bug')],
    ['bytes that are not HTTP', () => exchange(test.port, 'nonsense\r\n\r\n')],
    ['an unknown expectation', () => exchange(test.port, request('GET /', 'Expect: y\r\n'))],
    ['CONNECT', () => exchange(test.port, request('CONNECT x:443'))],
  ])('has the security headers and a request id, and no header that names the server: %s', async (_, answer) => {
    const { headers } = await answer();
    expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect([headers.get('server'), headers.get('x-powered-by'), headers.get('via')]).toEqual([null, null, null]);
  });

  it('has the request id of the client if it is acceptable', async () => {
    const headers = { 'x-request-id': 'my-request-1' };
    for (const path of ['/things?criteria=', '/nothing', '/things/bug', '/%zz']) {
      expect((await ask(test, path, { headers })).headers.get('x-request-id')).toBe('my-request-1');
    }
  });

  it.each(['a b', 'a_b', 'x'.repeat(65), ''])(
    'has a new request id if that of the client is not acceptable (%j)',
    async (id) => {
      const { headers } = await ask(test, '/things?criteria=', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('the response to', () => {
  it('OPTIONS on a known path is 204 with Allow', async () => {
    const answer = await ask(test, '/things/of/me', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('HEAD is the response to GET without the body', async () => {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => ask(test, '/things?criteria=a', { method })));
    expect([head?.status, head?.text]).toEqual([200, '']);
    expect(head?.headers.get('content-length')).toBe(String(get?.text.length));
  });

  it('a bug is 500 without internals, and the bug is reported', async () => {
    test.bugs.length = 0;
    const problem = expectProblem(await ask(test, '/things/bug'), 'internal_error');
    expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'instance', 'status', 'title', 'type']);
    expect(test.bugs).toEqual([expect.objectContaining({ message: 'password=hunter2' })]);
  });

  it('a transient error is 503 with Retry-After and its members', async () => {
    const answer = await ask(test, '/things/away');
    expect(expectProblem(answer, 'not_accepted').retryKey).toBe('k-1');
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('a missing key is 401 with WWW-Authenticate', async () => {
    const answer = await ask(test, '/things/key');
    expectProblem(answer, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('CORS', () => {
  const allowed = ({ headers }: RawAnswer) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

  it('is off unless origins are configured', async () => {
    const headers = { origin: ORIGIN, ...PREFLIGHT };
    for (const method of ['GET', 'OPTIONS']) {
      expect(allowed(await ask(test, '/things?criteria=', { method, headers }))).toEqual([]);
    }
  });

  it('lets a page of a configured origin read a response and its headers, without cookies', async () => {
    const answer = await ask(corsApp, '/things?criteria=', { headers: { origin: ORIGIN } });
    expect(answer.status).toBe(200);
    expect(allowed(answer)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(answer.headers.get('vary')).toBe('Origin');
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['Location', 'Link', 'Retry-After', 'RateLimit', 'ETag', 'X-Search-Hints']),
    );
  });

  it.each([
    ['/things', 'invalid_request'],
    ['/nothing', 'not_found'],
    ['/things/bug', 'internal_error'],
  ] as const)('lets it read errors: %s', async (path, code) => {
    const answer = await ask(corsApp, path, { headers: { origin: ORIGIN } });
    expectProblem(answer, code);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  it('answers a preflight with the methods of the path and the allowed headers', async () => {
    const preflight = { method: 'OPTIONS', headers: { origin: ORIGIN, ...PREFLIGHT } };
    const { status, headers } = await ask(corsApp, '/things', preflight);
    expect(status).toBe(204);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, POST');
    expect(headers.get('access-control-allow-headers')).toContain('Authorization, Content-Type, Idempotency-Key');
    expect(headers.get('access-control-max-age')).toBe('7200');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expectProblem(await ask(corsApp, '/nothing', preflight), 'not_found');
  });

  it.each(['https://evil.example', 'http://shop.example', 'https://shop.example.evil.example', 'null', '*', 'x'])(
    'sends no CORS header to any other origin (%s)',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await ask(corsApp, '/things?criteria=', { method, headers: { origin, ...PREFLIGHT } });
        expect(allowed(answer)).toEqual([]);
        expect(answer.headers.get('vary')).toBe('Origin');
      }
    },
  );
});
