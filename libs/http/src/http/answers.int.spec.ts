import { startTestApp, type TestApp } from '../testing/app.js';
import { ask, exchange, expectProblem, type RawAnswer, request } from '../testing/wire.js';
import { SECURITY_HEADERS } from './security-headers.js';

const OURS = 'https://shop.example';
const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };

let test: TestApp;
let shared: TestApp;

beforeAll(async () => {
  test = await startTestApp();
  shared = await startTestApp({}, [OURS, 'http://localhost:8080']);
});
afterAll(() => Promise.all([test.app.close(), shared.app.close()]));

describe('every answer', () => {
  it.each<[string, () => Promise<RawAnswer>]>([
    ['a success', () => ask(test, '/things?criteria=')],
    ['HEAD', () => ask(test, '/things?criteria=', { method: 'HEAD' })],
    ['OPTIONS', () => ask(test, '/things', { method: 'OPTIONS' })],
    ['a mistake', () => ask(test, '/things')],
    ['an unknown path', () => ask(test, '/nothing')],
    ['a bad address', () => exchange(test.port, request('GET /%zz'))],
    ['a bug', () => ask(test, '/things/bug')],
    ['what is no HTTP', () => exchange(test.port, 'nonsense\r\n\r\n')],
    ['an unknown expectation', () => exchange(test.port, request('GET /', 'Expect: y\r\n'))],
    ['CONNECT', () => exchange(test.port, request('CONNECT x:443'))],
  ])('says what a browser may do with it, and nothing of what made it: %s', async (_, answer) => {
    const { headers } = await answer();
    expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect([headers.get('server'), headers.get('x-powered-by'), headers.get('via')]).toEqual([null, null, null]);
  });

  it('has the request id of the client when that is acceptable, on success and on failure', async () => {
    const headers = { 'x-request-id': 'my-request-1' };
    for (const path of ['/things?criteria=', '/nothing', '/things/bug', '/%zz']) {
      expect((await ask(test, path, { headers })).headers.get('x-request-id')).toBe('my-request-1');
    }
  });

  it.each(['a b', 'a_b', 'x'.repeat(65), ''])('has another request id when that is not acceptable (%j)', async (id) => {
    const { headers } = await ask(test, '/things?criteria=', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the answer to', () => {
  it('OPTIONS on a known path is 204 and what is allowed', async () => {
    const answer = await ask(test, '/things/of/me', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('HEAD is that to GET, without the body', async () => {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => ask(test, '/things?criteria=a', { method })));
    expect([head?.status, head?.text]).toEqual([200, '']);
    expect(head?.headers.get('content-length')).toBe(String(get?.text.length));
  });

  it('a bug is 500 that holds nothing of the inside, and the bug is reported', async () => {
    test.bugs.length = 0;
    const problem = expectProblem(await ask(test, '/things/bug'), 'internal_error');
    expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'instance', 'status', 'title', 'type']);
    expect(test.bugs).toEqual([expect.objectContaining({ message: 'password=hunter2' })]);
  });

  it('a passing trouble is 503, when to try again, and its own members', async () => {
    const answer = await ask(test, '/things/away');
    expect(expectProblem(answer, 'not_accepted').retryKey).toBe('k-1');
    expect(answer.headers.get('retry-after')).toBe('3');
  });

  it('a missing key names the scheme to use', async () => {
    const answer = await ask(test, '/things/key');
    expectProblem(answer, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('pages of other origins', () => {
  const allowed = ({ headers }: RawAnswer) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

  it('are not let in unless origins are configured', async () => {
    const headers = { origin: OURS, ...PREFLIGHT };
    for (const method of ['GET', 'OPTIONS']) {
      expect(allowed(await ask(test, '/things?criteria=', { method, headers }))).toEqual([]);
    }
  });

  it('of a configured origin may read an answer and the headers that belong to it, but send no cookies', async () => {
    const answer = await ask(shared, '/things?criteria=', { headers: { origin: OURS } });
    expect(answer.status).toBe(200);
    expect(allowed(answer)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(OURS);
    expect(answer.headers.get('vary')).toBe('Origin');
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Location', 'Link', 'Retry-After', 'RateLimit', 'ETag']));
  });

  it.each([
    ['/things', 'invalid_request'],
    ['/nothing', 'not_found'],
    ['/things/bug', 'internal_error'],
  ] as const)('may read what went wrong as well: %s', async (path, code) => {
    const answer = await ask(shared, path, { headers: { origin: OURS } });
    expectProblem(answer, code);
    expect(answer.headers.get('access-control-allow-origin')).toBe(OURS);
  });

  it('are told beforehand what they may send, by the methods that the path has', async () => {
    const preflight = { method: 'OPTIONS', headers: { origin: OURS, ...PREFLIGHT } };
    const { status, headers } = await ask(shared, '/things', preflight);
    expect(status).toBe(204);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, POST');
    expect(headers.get('access-control-allow-headers')).toContain('Authorization, Content-Type, Idempotency-Key');
    expect(headers.get('access-control-max-age')).toBe('7200');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expectProblem(await ask(shared, '/nothing', preflight), 'not_found');
  });

  it.each(['https://evil.example', 'http://shop.example', 'https://shop.example.evil.example', 'null', '*', 'x'])(
    'of any other origin (%s) get an answer that their browser does not let them read',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await ask(shared, '/things?criteria=', { method, headers: { origin, ...PREFLIGHT } });
        expect(allowed(answer)).toEqual([]);
        expect(answer.headers.get('vary')).toBe('Origin');
      }
    },
  );
});
