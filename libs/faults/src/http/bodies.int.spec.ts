import { startTestApp, type TestApp } from './test-app.js';
import { ask, exchange, expectProblem, type RawAnswer } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.app.close());

const HEAD = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return ask(test, '/things', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
}

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
    expectProblem(await ask(test, '/things', { method: 'POST' }), 'invalid_json');
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
