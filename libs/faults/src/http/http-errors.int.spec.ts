import { FAULTS, type FaultCode } from '../faults.js';
import { exchange, type RawAnswer, startTestApp, type TestApp } from './test-app.js';

/** What must never be in an answer: traces, files, libraries, and what the broken handler knew. */
const INSIDE = /\bat .*:\d+|node_modules|\.js\b|\.ts\b|fastify|FST_|HPE_|nestjs|hunter2|SELECT|statusCode/i;

let test: TestApp;
let base: string;

beforeAll(async () => {
  test = await startTestApp({ requestMs: 1_000, headMs: 500, checkEveryMs: 50, handlerMs: 1_500 });
  base = `http://127.0.0.1:${test.port}`;
});

afterAll(() => test.app.close());

function expectProblem(answer: RawAnswer, code: FaultCode): Record<string, unknown> {
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
    status: FAULTS[code].status,
    type: 'application/problem+json',
  });
  expect(problem).toMatchObject({ code, type: `/problems/${code}`, ...FAULTS[code], detail: expect.any(String) });
  expect(problem.instance).toMatch(/^[A-Za-z0-9-]{1,64}$/);
  expect(answer.headers.get('x-request-id')).toBe(problem.instance);
  expect(answer.text).not.toMatch(INSIDE);
  return problem;
}

async function ask(path: string, init: RequestInit = {}): Promise<RawAnswer> {
  const response = await fetch(`${base}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return ask('/things', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
}

const HEAD = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('what is not there', () => {
  it.each(['/', '/nothing', '/things/', '/Things', '//things'])('answers 404 not_found for %s', async (path) => {
    expectProblem(await ask(path), 'not_found');
  });

  it('answers 404 before it looks at the body of an unknown address', async () => {
    const body = 'x'.repeat(20_000);
    expectProblem(await ask('/nothing', { method: 'POST', body }), 'not_found');
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
      const answer = await ask('/things?criteria=', { method });
      expectProblem(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    },
  );

  it('answers OPTIONS on a known path with 204 and what is allowed', async () => {
    const answer = await ask('/things/of/me', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  it('answers OPTIONS on an unknown path with 404', async () => {
    expectProblem(await ask('/nothing', { method: 'OPTIONS' }), 'not_found');
  });

  it('answers HEAD like GET, without the body', async () => {
    const [head, get] = [await ask('/things?criteria=a', { method: 'HEAD' }), await ask('/things?criteria=a')];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(String(get.text.length));
  });

  it('answers a method that HTTP does not know with 400', async () => {
    expectProblem(await exchange(test.port, 'BREW /things HTTP/1.1\r\nHost: x\r\n\r\n'), 'invalid_request');
  });
});

describe('bodies', () => {
  it('takes a good one', async () => {
    const answer = await post('{"weight": 1.5}', { 'content-type': 'Application/JSON; charset="UTF-8"' });
    expect([answer.status, answer.text]).toEqual([202, '{"weight":1.5}']);
  });

  it.each([
    ['nothing at all', ''],
    ['a text that is no JSON', '{weight: 1}'],
    ['a trailing comma', '{"weight": 1,}'],
    ['more after the value', '{"weight": 1} {}'],
    ['a duplicate key', '{"weight": 1, "weight": 2}'],
    ['a duplicate key written with an escape', '{"weight": 1, "\\u0077eight": 2}'],
    ['a byte order mark', '\uFEFF{"weight": 1}'],
    ['a key that poisons prototypes', '{"weight": 1, "__proto__": {"polluted": true}}'],
    ['the same with an escape', '{"weight": 1, "__pr\\u006fto__": 1}'],
    ['a constructor', '{"constructor": {"prototype": {"polluted": true}}}'],
    ['nine levels', `${'['.repeat(9)}${']'.repeat(9)}`],
    ['thousands of levels', '['.repeat(16_000)],
    ['a raw control character in a string', '{"weight": 1, "note": "a\nb"}'],
    ['NaN', '{"weight": NaN}'],
  ])('answers %s with 400 invalid_json', async (_, body) => {
    expectProblem(await post(body), 'invalid_json');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('answers bytes that are not UTF-8 with 400 invalid_json', async () => {
    expectProblem(await post(Buffer.from('{"note": "\xff\xfe"}', 'latin1')), 'invalid_json');
  });

  it('answers a missing body with 400 invalid_json', async () => {
    expectProblem(await ask('/things', { method: 'POST' }), 'invalid_json');
  });

  it('answers every mistake in a body at once, each with its place', async () => {
    const problem = expectProblem(await post('{"wieght": 1, "note": null}'), 'invalid_request');
    expect(problem.errors).toEqual([
      { field: 'weight', pointer: '/weight', code: 'missing_field', detail: 'is missing; it must be a number' },
      {
        field: 'note',
        pointer: '/note',
        code: 'invalid_field',
        detail: 'must be a string, not null; leave it out if there is none',
      },
      {
        field: 'wieght',
        pointer: '/wieght',
        code: 'unknown_field',
        detail: 'unknown field, did you mean weight?',
        suggestion: 'weight',
      },
    ]);
  });

  it('answers an infinite number with 400', async () => {
    expectProblem(await post('{"weight": 1e999}'), 'invalid_request');
  });

  it.each([17 * 1024, 3 * 1024 * 1024])('answers a body of %d bytes with 413', async (size) => {
    const length = `Content-Length: ${size}\r\n\r\n`;
    expectProblem(await exchange(test.port, HEAD, length, ' '.repeat(size)), 'payload_too_large');
  });

  it('answers a body of unannounced length that grows too large with 413', async () => {
    const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;
    const answer = await exchange(test.port, HEAD, 'Transfer-Encoding: chunked\r\n\r\n', chunk.repeat(5));
    expectProblem(answer, 'payload_too_large');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=latin1',
    'nonsense',
  ])('answers a body of type %s with 415', async (type) =>
    expectProblem(await post('{"weight": 1}', { 'content-type': type }), 'unsupported_media_type'),
  );

  it('answers a body without a type with 415', async () => {
    const answer = await exchange(
      test.port,
      'POST /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    expectProblem(answer, 'unsupported_media_type');
  });

  it('answers a compressed body with 415: it is not decompressed', async () => {
    expectProblem(await post('{"weight": 1}', { 'content-encoding': 'gzip' }), 'unsupported_media_type');
  });
});

describe('addresses and heads', () => {
  it('answers every mistake in the parameters at once', async () => {
    const problem = expectProblem(await ask('/things?limit=0&limt=1&limit=2'), 'invalid_request');
    expect((problem.errors as { code: string }[]).map(({ code }) => code)).toEqual([
      'invalid_parameter',
      'unknown_parameter',
      'duplicate_parameter',
      'missing_parameter',
    ]);
  });

  it.each(['/%zz', '/things/of/%ff'])('answers a path with a broken escape (%s) with 400', async (path) => {
    expectProblem(
      await exchange(test.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      'invalid_request',
    );
  });

  it.each([17 * 1024, 40 * 1024])('answers an address of %d bytes with 414', async (size) => {
    const target = `/things?criteria=${'a'.repeat(size)}`;
    expectProblem(
      await exchange(test.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      'uri_too_long',
    );
  });

  it('answers an over-long path parameter with 414', async () => {
    expectProblem(await ask(`/things/of/${'a'.repeat(65)}`), 'uri_too_long');
  });

  it('answers a head that is too large with 431', async () => {
    const answer = await exchange(
      test.port,
      `GET /things HTTP/1.1\r\nHost: x\r\nX-Filler: ${'a'.repeat(25_000)}\r\n\r\n`,
    );
    expectProblem(answer, 'header_too_large');
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a line that ends early', 'GET\r\n\r\n'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    ['both a length and chunks', `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\nX-C: d\r\n\r\n'],
    ['a chunk size that is no number', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['no Host', 'GET /things HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /things HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
  ])('answers a request with %s with 400', async (_, wire) => {
    expectProblem(await exchange(test.port, wire), 'invalid_request');
  });
});

describe('time', () => {
  it('answers a head that does not arrive with 408', async () => {
    expectProblem(await exchange(test.port, 'GET /things HTTP/1.1\r\nHost: x\r\n'), 'request_timeout');
  });

  it('answers a connection that never says anything with 408', async () => {
    expectProblem(await exchange(test.port), 'request_timeout');
  });

  it('answers a body that does not arrive with 408', async () => {
    const answer = await exchange(test.port, HEAD, 'Content-Length: 15\r\n\r\n', '{"weight');
    expectProblem(answer, 'request_timeout');
    expect(test.refused).toContain('request_timeout');
  });

  it('answers for a handler that hangs with 503', async () => {
    const answer = await ask('/things/hangs');
    expectProblem(answer, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('what handlers throw', () => {
  it('answers a bug with 500 that holds nothing of the inside, and reports it', async () => {
    test.bugs.length = 0;
    const problem = expectProblem(await ask('/things/bug'), 'internal_error');
    expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'instance', 'status', 'title', 'type']);
    expect(test.bugs).toEqual([expect.objectContaining({ message: 'password=hunter2' })]);
  });

  it('answers a passing trouble with 503, when to try again, and its own members', async () => {
    const answer = await ask('/things/away');
    expect(expectProblem(answer, 'not_accepted').retryKey).toBe('k-1');
    expect(answer.headers.get('retry-after')).toBe('3');
  });

  it('answers a missing key with the scheme to use', async () => {
    const answer = await ask('/things/key');
    expectProblem(answer, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('request ids', () => {
  it('keeps an acceptable one, on success and on failure', async () => {
    const headers = { 'x-request-id': 'my-request-1' };
    for (const path of ['/things?criteria=', '/nothing', '/things/bug', '/%zz']) {
      expect((await ask(path, { headers })).headers.get('x-request-id')).toBe('my-request-1');
    }
  });

  it.each(['a b', 'a_b', 'x'.repeat(65), ''])('replaces one that is not (%j)', async (id) => {
    const given = (await ask('/things?criteria=', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(given).toMatch(/^[0-9a-f-]{36}$/);
  });
});
