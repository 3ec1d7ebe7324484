import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startTestApp, type TestApp } from './test-app.js';
import { exchange, expectProblem } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.app.close());

const GET = 'GET /things?criteria= HTTP/1.1\r\nHost: x\r\n';
const POST = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** Shapes that two readers of one connection could read differently: none is guessed at. */
describe('framing that could be read in two ways', () => {
  it.each([
    ['a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and a length', `${POST}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['two lengths in one line', `${POST}Content-Length: 2, 2\r\n\r\n{}`],
    ['a negative length', `${POST}Content-Length: -2\r\n\r\n{}`],
    ['a length with a plus', `${POST}Content-Length: +2\r\n\r\n{}`],
    ['a length in hexadecimal', `${POST}Content-Length: 0x2\r\n\r\n{}`],
    ['a length beyond counting', `${POST}Content-Length: 99999999999999999999\r\n\r\n{}`],
    ['a transfer coding that is not the last', `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['chunks by another spelling', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a space before a colon', `${POST}Content-Length : 2\r\n\r\n{}`],
    ['a tab before a colon', `${POST}Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n`],
    ['a header that begins with a space', `${GET} X-A: b\r\n\r\n`],
    ['a folded header', `${GET}X-A: b\r\n c\r\n\r\n`],
    ['a header without a name', `${GET}: b\r\n\r\n`],
    ['a NUL in a header', `${GET}X-A: b\0c\r\n\r\n`],
    ['a NUL in the target', 'GET /things\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a bare carriage return in a header', `${GET}X-A: b\rX-C: d\r\n\r\n`],
    ['lines that end with a line feed alone', 'GET /things?criteria= HTTP/1.1\nHost: x\n\n'],
    [
      'a chunk with an extension that breaks the line',
      `${POST}Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a chunk that is longer than it says', `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`],
    ['a negative chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`],
    ['a chunk beyond counting', `${POST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`],
  ])('is refused: %s', async (_, wire) => {
    const answer = await exchange(test.port, wire);
    expectProblem(answer, 'invalid_request');
    expect(answer.headers.get('connection')).toBe('close');
  });
});

describe('what is not HTTP/1', () => {
  it.each([
    ['HTTP/0.9', 'GET /things\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version there is not', 'GET /things HTTP/3.0\r\nHost: x\r\n\r\n'],
    ['the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a method in small letters', 'get /things HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a target that is empty', 'GET  HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is answered with 400: %s', async (_, wire) => {
    expectProblem(await exchange(test.port, wire), 'invalid_request');
  });
});

describe('what HTTP knows and this does not', () => {
  it('answers CONNECT with 405: it is no proxy', async () => {
    const answer = await exchange(test.port, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect(test.refused).toContain('method_not_allowed');
  });

  it('lives on when who sends CONNECT breaks the connection off', async () => {
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(test.port, '127.0.0.1').on('error', () => undefined);
      const [peer] = (await once(test.app.getHttpServer(), 'connection')) as [Socket];
      socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', () => socket.resetAndDestroy());
      if (!peer.closed) await new Promise((resolve) => peer.once('close', resolve));
    }
    expect((await exchange(test.port, `${GET}Connection: close\r\n\r\n`)).status).toBe(200);
  });

  it('answers TRACE with 405, and gives nothing of the request back', async () => {
    const answer = await exchange(
      test.port,
      'TRACE /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer secret\r\n\r\n',
    );
    expectProblem(answer, 'method_not_allowed');
    expect(answer.text).not.toContain('secret');
  });

  it.each(['websocket', 'h2c', 'TLS/1.3'])('goes on in HTTP/1 when asked to go over to %s', async (protocol) => {
    const head = `Upgrade: ${protocol}\r\nConnection: Upgrade, close\r\n`;
    const answer = await exchange(test.port, `${GET}${head}\r\n`);
    expect([answer.status, answer.text]).toEqual([200, '{"criteria":""}']);
    expect(answer.headers.get('upgrade')).toBeNull();
  });

  it('asks no other host: a whole address as target is 400', async () => {
    const answer = await exchange(
      test.port,
      'GET http://169.254.169.254/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expectProblem(answer, 'invalid_request');
  });
});
