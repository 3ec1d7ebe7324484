import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ProblemCode } from './errors.js';
import { startTestApp, type TestApp } from './testing/app.js';
import { ask, codesOf, exchange, expectProblem, request } from './testing/wire.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.app.close());

const HOST = 'HTTP/1.1\r\nHost: x\r\n';
const GET = `GET /things?criteria= ${HOST}`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const POST = `POST /things ${HOST}${JSON_TYPE}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const post = (body: string, headers = JSON_TYPE) =>
  request('POST /things', `${headers}Content-Length: ${body.length}\r\n`, body);

const REJECTED: Partial<Record<ProblemCode, Readonly<Record<string, string>>>> = {
  invalid_json: {
    'an empty body': post(''),
    'no body': request('POST /things'),
    'a text that is no JSON': post('{weight: 1}'),
    'a key that poisons prototypes': post('{"weight": 1, "__proto__": {"polluted": true}}'),
    'nine levels': post(`${'['.repeat(9)}${']'.repeat(9)}`),
    'thousands of levels': post('['.repeat(16_000)),
  },
  invalid_request: {
    'an infinite number': post('{"weight": 1e999}'),
    'a broken escape in the path': request('GET /%zz'),
    'a broken escape in a parameter': request('GET /things/of/%ff'),
    'no HTTP': 'hello\r\n\r\n',
    'a line that ends early': 'GET\r\n\r\n',
    'a space in the target': `GET /a b ${HOST}\r\n`,
    'a header without a colon': `${GET}nonsense\r\n\r\n`,
    'no Host': 'GET /things HTTP/1.1\r\n\r\n',
    'a Host with a space': 'GET /things HTTP/1.1\r\nHost: x y\r\n\r\n',
    'a Host with a path': 'GET /things HTTP/1.1\r\nHost: x/../y\r\n\r\n',
    'a Host with a user': 'GET /things HTTP/1.1\r\nHost: x@y\r\n\r\n',
    'two Hosts in one': 'GET /things HTTP/1.1\r\nHost: x, y\r\n\r\n',
    'two Hosts': `GET /things ${HOST}Host: y\r\n\r\n`,
    'an unknown expectation': `${GET}Expect: anything\r\n\r\n`,
    'a whole address as target: no other host is asked': request('GET http://169.254.169.254/things'),
    'a method that HTTP does not know': `BREW /things ${HOST}\r\n`,
    'a method in small letters': `get /things ${HOST}\r\n`,
    'an empty target': `GET  ${HOST}\r\n`,
    'HTTP/0.9': 'GET /things\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a version there is not': 'GET /things HTTP/3.0\r\nHost: x\r\n\r\n',
    'the first bytes of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  },
  not_found: {
    'the root': request('GET /'),
    'an unknown path': request('GET /nothing'),
    'an unknown path with OPTIONS': request('OPTIONS /nothing'),
    'an unknown path with a body too large to be read': request(
      'POST /nothing',
      'Content-Length: 20000\r\n',
      ' '.repeat(20_000),
    ),
    'a slash at the end': request('GET /things/'),
    'a slash at the beginning': request('GET //things'),
    'another case': request('GET /Things'),
    'a target that is no path': request('OPTIONS *'),
  },
  payload_too_large: {
    'a body of 17 KiB': `${POST}Content-Length: 17408\r\n\r\n${' '.repeat(17_408)}`,
    'a body of 3 MiB': `${POST}Content-Length: 3145728\r\n\r\n${' '.repeat(3_145_728)}`,
    'a body of unannounced length': `${POST}${CHUNKED}\r\n${`1000\r\n${' '.repeat(4096)}\r\n`.repeat(5)}`,
    'a long extension of a chunk': `${POST}${CHUNKED}\r\n2;${'a'.repeat(20_000)}\r\n`,
  },
  unsupported_media_type: {
    ...Object.fromEntries(
      ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'].map((type) => {
        return [type, post('{"weight": 1}', `Content-Type: ${type}\r\n`)];
      }),
    ),
    'another charset': post('{"weight": 1}', 'Content-Type: application/json; charset=latin1\r\n'),
    'no type': post('{}', ''),
    'a compressed body: it is not decompressed': post('{"weight": 1}', `${JSON_TYPE}Content-Encoding: gzip\r\n`),
  },
  uri_too_long: {
    'an address of 17 KiB': request(`GET /things?criteria=${'a'.repeat(17_408)}`),
    'a path parameter of 17 KiB': request(`GET /things/of/${'a'.repeat(17_408)}`),
    'an address of 40 KiB': request(`GET /things?criteria=${'a'.repeat(40_960)}`),
  },
  header_too_large: { 'a head of 25 kB': request('GET /things', `X-Filler: ${'a'.repeat(25_000)}\r\n`) },
};

/** Framing that two parsers of one connection could read differently. */
const AMBIGUOUS = {
  'a length and chunks': `${POST}Content-Length: 2\r\n${CHUNKED}\r\n0\r\n\r\n`,
  'chunks and a length': `${POST}${CHUNKED}Content-Length: 2\r\n\r\n0\r\n\r\n`,
  'two equal lengths': `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
  'two lengths': `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
  'two lengths in one line': `${POST}Content-Length: 2, 2\r\n\r\n{}`,
  'a negative length': `${POST}Content-Length: -2\r\n\r\n{}`,
  'a length with a plus': `${POST}Content-Length: +2\r\n\r\n{}`,
  'a length in hexadecimal': `${POST}Content-Length: 0x2\r\n\r\n{}`,
  'a length beyond counting': `${POST}Content-Length: 99999999999999999999\r\n\r\n{}`,
  'a transfer coding that is not the last': `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'chunks by another spelling': `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'chunks twice': `${POST}${CHUNKED}${CHUNKED}\r\n0\r\n\r\n`,
  'a space before a colon': `${POST}Content-Length : 2\r\n\r\n{}`,
  'a tab before a colon': `${POST}Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n`,
  'a header that begins with a space': `${GET} X-A: b\r\n\r\n`,
  'a folded header': `${GET}X-A: b\r\n c\r\n\r\n`,
  'a header without a name': `${GET}: b\r\n\r\n`,
  'a NUL in a header': `${GET}X-A: b\0c\r\n\r\n`,
  'a NUL in the target': `GET /things\0 ${HOST}\r\n`,
  'a bare carriage return in a header': `${GET}X-A: b\rX-C: d\r\n\r\n`,
  'a bare line feed in a header': `${GET}X-A: b\nX-C: d\r\n\r\n`,
  'lines that end with a line feed alone': 'GET /things?criteria= HTTP/1.1\nHost: x\n\n',
  'a chunk with an extension that breaks the line': `${POST}${CHUNKED}\r\n2;a\nb\r\n{}\r\n0\r\n\r\n`,
  'a chunk that is longer than it says': `${POST}${CHUNKED}\r\n1\r\n{}\r\n0\r\n\r\n`,
  'a chunk size that is no number': `${POST}${CHUNKED}\r\nzz\r\n`,
  'a negative chunk': `${POST}${CHUNKED}\r\n-1\r\n{}\r\n0\r\n\r\n`,
  'a chunk beyond counting': `${POST}${CHUNKED}\r\nffffffffffffffffff\r\n{}`,
};

const allWith = (code: string, requests: object) =>
  Object.fromEntries(Object.keys(requests).map((name) => [name, code]));

describe('a request', () => {
  it('is accepted when it is valid', async () => {
    const answer = await exchange(
      test.port,
      post('{"weight": 1.5}', 'Content-Type: Application/JSON; charset="UTF-8"\r\n'),
    );
    expect([answer.status, answer.text]).toEqual([202, '{"weight":1.5}']);
  });

  it.each(Object.entries(REJECTED))('is rejected with %s, and its connection closed', async (code, requests) => {
    expect(await codesOf(test, requests)).toEqual(allWith(code, requests));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('is reported as rejected when that is its response, and only then', async () => {
    const reportedOf = async (wire: string, ends = false) => {
      const before = test.rejected.length;
      const socket = connect(test.port, '127.0.0.1').on('error', () => undefined);
      socket.resume().write(wire);
      if (ends) socket.end();
      await once(socket, 'close');
      return test.rejected.slice(before);
    };
    expect(await reportedOf(request('GET /%zz', 'Connection: close\r\n'))).toEqual(['invalid_request']);
    expect(await reportedOf(`POST /nothing ${HOST}${CHUNKED}\r\nzz\r\n`)).toEqual([]);
    expect(await reportedOf(`POST /things ${HOST}Transfer-Encoding: gzip\r\n\r\n`)).toEqual([]);
    expect(await reportedOf(`${POST}Content-Length: 15\r\n\r\n{"weight`, true)).toEqual([]);
  });

  it('is rejected when its framing is ambiguous', async () => {
    expect(await codesOf(test, AMBIGUOUS)).toEqual(allWith('invalid_request', AMBIGUOUS));
    expect((await exchange(test.port, AMBIGUOUS['two lengths'])).headers.get('connection')).toBe('close');
  });

  it('is rejected with every error in its parameters at once', async () => {
    const problem = expectProblem(await ask(test, '/things?limit=0&limt=1&limit=2'), 'invalid_request');
    expect((problem.errors as { code: string }[]).map(({ code }) => code)).toEqual([
      'invalid_parameter',
      'unknown_parameter',
      'duplicate_parameter',
      'missing_parameter',
    ]);
  });

  it.each(['DELETE', 'PUT', 'PATCH', 'PROPFIND', 'TRACE', 'CONNECT'])(
    'is rejected with 405 and Allow when its method is %s, without an echo of its headers',
    async (method) => {
      const target = method === 'CONNECT' ? 'example.org:443' : '/things';
      const answer = await exchange(test.port, request(`${method} ${target}`, 'Authorization: Bearer secret\r\n'));
      expectProblem(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
      expect(answer.text).not.toContain('secret');
      if (method === 'CONNECT') expect(test.rejected).toContain('method_not_allowed');
    },
  );

  it('causes no crash when it is CONNECT and the client resets the connection', async () => {
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(test.port, '127.0.0.1').on('error', () => undefined);
      const [peer] = (await once(test.app.getHttpServer(), 'connection')) as [Socket];
      socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', () => socket.resetAndDestroy());
      if (!peer.closed) await new Promise((resolve) => peer.once('close', resolve));
    }
    expect((await ask(test, '/things?criteria=')).status).toBe(200);
  });

  it.each(['websocket', 'h2c', 'TLS/1.3'])('is answered in HTTP/1 when it asks to upgrade to %s', async (protocol) => {
    const answer = await exchange(test.port, `${GET}Upgrade: ${protocol}\r\nConnection: Upgrade, close\r\n\r\n`);
    expect([answer.status, answer.text]).toEqual([200, '{"criteria":""}']);
    expect(answer.headers.get('upgrade')).toBeNull();
  });
});
