import { startTestApp, type TestApp } from './test-app.js';
import { ask, exchange, expectProblem } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.app.close());

describe('what is not there', () => {
  it.each(['/', '/nothing', '/things/', '/Things', '//things'])('answers 404 not_found for %s', async (path) => {
    expectProblem(await ask(test, path), 'not_found');
  });

  it('answers 404 before it looks at the body of an unknown address', async () => {
    const body = 'x'.repeat(20_000);
    expectProblem(await ask(test, '/nothing', { method: 'POST', body }), 'not_found');
  });

  it('answers 404 to a target that is no path', async () => {
    const answer = await exchange(test.port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expectProblem(answer, 'not_found');
  });
});

describe('methods', () => {
  it.each(['DELETE', 'PUT', 'PATCH', 'PROPFIND'])(
    'answers %s on a known path with 405 and what is allowed',
    async (method) => {
      const answer = await ask(test, '/things?criteria=', { method });
      expectProblem(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    },
  );

  it('answers OPTIONS on a known path with 204 and what is allowed', async () => {
    const answer = await ask(test, '/things/of/me', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  it('answers OPTIONS on an unknown path with 404', async () => {
    expectProblem(await ask(test, '/nothing', { method: 'OPTIONS' }), 'not_found');
  });

  it('answers HEAD like GET, without the body', async () => {
    const [head, get] = [
      await ask(test, '/things?criteria=a', { method: 'HEAD' }),
      await ask(test, '/things?criteria=a'),
    ];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(String(get.text.length));
  });

  it('answers a method that HTTP does not know with 400', async () => {
    expectProblem(await exchange(test.port, 'BREW /things HTTP/1.1\r\nHost: x\r\n\r\n'), 'invalid_request');
  });
});

describe('request ids', () => {
  it('keeps an acceptable one, on success and on failure', async () => {
    const headers = { 'x-request-id': 'my-request-1' };
    for (const path of ['/things?criteria=', '/nothing', '/things/bug', '/%zz']) {
      expect((await ask(test, path, { headers })).headers.get('x-request-id')).toBe('my-request-1');
    }
  });

  it.each(['a b', 'a_b', 'x'.repeat(65), ''])('replaces one that is not (%j)', async (id) => {
    const given = (await ask(test, '/things?criteria=', { headers: { 'x-request-id': id } })).headers.get(
      'x-request-id',
    );
    expect(given).toMatch(/^[0-9a-f-]{36}$/);
  });
});
