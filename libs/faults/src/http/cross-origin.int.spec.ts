import { startTestApp, type TestApp } from './test-app.js';
import { ask, expectProblem } from './test-wire.js';

const OURS = 'https://shop.example';
const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };

let off: TestApp;
let on: TestApp;

beforeAll(async () => {
  off = await startTestApp();
  on = await startTestApp({}, [OURS, 'http://localhost:8080']);
});

afterAll(() => Promise.all([off.app.close(), on.app.close()]));

const allowed = ({ headers }: { headers: Headers }) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('pages of other origins', () => {
  it('are not let in unless origins are configured', async () => {
    const headers = { origin: OURS };
    const preflight = { method: 'OPTIONS', headers: { ...headers, ...PREFLIGHT } };
    expect(allowed(await ask(off, '/things?criteria=', { headers }))).toEqual([]);
    expect(allowed(await ask(off, '/things', preflight))).toEqual([]);
  });

  it('of a configured origin may read an answer and the headers that belong to it, but send no cookies', async () => {
    const answer = await ask(on, '/things?criteria=', { headers: { origin: OURS } });
    expect(answer.status).toBe(200);
    expect(allowed(answer)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(OURS);
    expect(answer.headers.get('vary')).toBe('Origin');
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Location', 'Link', 'Retry-After', 'RateLimit', 'ETag']));
  });

  it('may read what went wrong as well', async () => {
    for (const [path, code] of [
      ['/things', 'invalid_request'],
      ['/nothing', 'not_found'],
      ['/things/bug', 'internal_error'],
    ] as const) {
      const answer = await ask(on, path, { headers: { origin: OURS } });
      expectProblem(answer, code);
      expect(answer.headers.get('access-control-allow-origin')).toBe(OURS);
    }
  });

  it('are told beforehand what they may send, by the methods that the path has', async () => {
    const answer = await ask(on, '/things', { method: 'OPTIONS', headers: { origin: OURS, ...PREFLIGHT } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, POST');
    expect(answer.headers.get('access-control-allow-headers')).toContain(
      'Authorization, Content-Type, Idempotency-Key',
    );
    expect(answer.headers.get('access-control-max-age')).toBe('7200');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('asking before about a path that is not there are told 404 like everybody', async () => {
    const answer = await ask(on, '/nothing', { method: 'OPTIONS', headers: { origin: OURS, ...PREFLIGHT } });
    expectProblem(answer, 'not_found');
  });

  it.each(['https://evil.example', 'http://shop.example', 'https://shop.example.evil.example', 'null', '*', 'x'])(
    'of any other origin (%s) get an answer that their browser does not let them read',
    async (origin) => {
      const headers = { origin, ...PREFLIGHT };
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await ask(on, '/things?criteria=', { method, headers });
        expect(allowed(answer)).toEqual([]);
        expect(answer.headers.get('vary')).toBe('Origin');
      }
    },
  );
});
