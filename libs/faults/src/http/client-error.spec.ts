import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { type ClientError, problemOfClientError, writeProblem } from './client-error.js';

function clientError(code: string, packet?: string): ClientError {
  return Object.assign(new Error('Parse Error'), {
    code,
    ...(packet !== undefined && { rawPacket: Buffer.from(packet) }),
  });
}

describe('problemOfClientError', () => {
  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', undefined, 408],
    ['HPE_HEADER_OVERFLOW', `GET /${'a'.repeat(200)}`, 414],
    ['HPE_HEADER_OVERFLOW', `GET /${'a'.repeat(200)} HTTP/1.1\r\nHost: x\r\n`, 414],
    ['HPE_HEADER_OVERFLOW', 'GET / HTTP/1.1\r\nX: aaaaaaaaa', 431],
    ['HPE_HEADER_OVERFLOW', 'aaaaaaaaaa', 431],
    ['HPE_HEADER_OVERFLOW', undefined, 431],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', undefined, 413],
    ['HPE_INVALID_METHOD', 'x', 400],
  ])('answers %s after %j with %d', (code, packet, status) => {
    expect(problemOfClientError(clientError(code, packet), 100)?.status).toBe(status);
  });

  it('has no answer for a client that has gone', () => {
    expect(problemOfClientError(clientError('ECONNRESET'), 100)).toBeUndefined();
  });
});

describe('writeProblem', () => {
  it('writes nothing into an answer that has begun', () => {
    const begun = new ServerResponse(new IncomingMessage(new Socket()));
    begun.writeHead(200);
    begun.flushHeaders();
    const stream = Object.assign(new PassThrough(), { _httpMessage: begun });
    const answer = problemOfClientError(clientError('HPE_INVALID_CONSTANT'), 100);
    if (answer) writeProblem(stream as unknown as Socket, answer);
    expect(stream.read()).toBeNull();
    expect(stream.destroyed).toBe(true);
  });
});
