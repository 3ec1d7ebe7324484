import { startTestApp, type TestApp } from './test-app.js';
import { ask, exchange, expectProblem } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.app.close());

const HEAD = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('addresses and heads', () => {
  it('answers every mistake in the parameters at once', async () => {
    const problem = expectProblem(await ask(test, '/things?limit=0&limt=1&limit=2'), 'invalid_request');
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
    expectProblem(await ask(test, `/things/of/${'a'.repeat(65)}`), 'uri_too_long');
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
    ['no Host', 'GET /things HTTP/1.1\r\n\r\n'],
    ['an expectation nobody knows', 'GET /things HTTP/1.1\r\nHost: x\r\nExpect: anything\r\n\r\n'],
    ['a Host with a space', 'GET /things HTTP/1.1\r\nHost: x y\r\n\r\n'],
    ['a Host with a path', 'GET /things HTTP/1.1\r\nHost: x/../y\r\n\r\n'],
    ['a Host with a user', 'GET /things HTTP/1.1\r\nHost: x@y\r\n\r\n'],
    ['two Hosts in one', 'GET /things HTTP/1.1\r\nHost: x, y\r\n\r\n'],
    ['two Hosts', 'GET /things HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
  ])('answers a request with %s with 400, and takes no more on its connection', async (_, wire) => {
    expectProblem(await exchange(test.port, wire), 'invalid_request');
  });
});
