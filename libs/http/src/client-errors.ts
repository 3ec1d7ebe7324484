import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from './errors.js';
import { errorOfStatus, type ProblemResponse, problemOf } from './problem.js';
import { requestIdOf } from './request-headers.js';

/** An error of Node's HTTP parser: a code and the bytes it failed on. */
export interface ClientError extends Error {
  readonly code?: string;
  /** A Buffer, which Fastify's types describe by its JSON. */
  readonly rawPacket?: unknown;
}

/**
 * Returns the problem of a request that could not be parsed, or undefined when the client is gone. Node reports a request
 * line and headers that are too long alike; only the bytes distinguish 414 from 431.
 */
export function problemOfClientError(error: ClientError, urlBytes: number): ProblemResponse | undefined {
  if (error.code === 'ECONNRESET') return undefined;
  return problemOf(errorOfStatus(statusOf(error, urlBytes)), requestIdOf(undefined));
}

function statusOf(error: ClientError, urlBytes: number): number {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 400;
  return isLineTooLong(error.rawPacket, urlBytes) ? 414 : 431;
}

function isLineTooLong(packet: unknown, urlBytes: number): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]+ /.test(packet.subarray(0, 16).toString('latin1'))) return false;
  const end = packet.indexOf('\r\n');
  return end === -1 ? packet.length > urlBytes : end > urlBytes;
}

/** Whether the connection ended within a request. The client is probably gone, which is no fault of its request. */
export function isCutOff({ code }: ClientError): boolean {
  return code === 'HPE_INVALID_EOF_STATE';
}

/** Sockets with a pending or sent problem: whatever else arrives on them is ignored. */
const failed = new WeakSet<Socket>();

/**
 * Writes a problem straight to a socket that Fastify does not know, and closes the connection. Complete requests that
 * arrived before the broken one get their responses first, because a client reads responses in the order of its requests.
 * @param onWritten called when it is written, which it is not where another response has begun
 */
export function writeProblem(socket: Socket, problem: ProblemResponse, onWritten: () => void): void {
  if (failed.has(socket)) return;
  failed.add(socket);
  writeInTurn(socket, problem, onWritten);
}

function writeInTurn(socket: Socket, { status, headers, body }: ProblemResponse, onWritten: () => void): void {
  // Node's next response on this socket.
  const message: unknown = Reflect.get(socket, '_httpMessage');
  const pending = message instanceof ServerResponse ? message : undefined;
  if (pending?.req.complete && socket.writable) {
    pending.once('close', () => writeInTurn(socket, { status, headers, body }, onWritten));
    return;
  }
  // A second status line would corrupt a response that has started.
  if (!socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  const payload = JSON.stringify(body);
  const lines = Object.entries({ ...headers, ...closingHeaders(payload) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${payload}`, () => socket.destroySoon());
  onWritten();
}

function closingHeaders(payload: string) {
  return { 'content-length': Buffer.byteLength(payload), connection: 'close' };
}

/**
 * Replies 400 to an `Expect` header other than `100-continue` (RFC 9110, 10.1.1), before Node replies with an empty 417.
 * The client has not sent the body, so the connection closes.
 */
export function rejectExpectation(request: IncomingMessage, response: ServerResponse): ProblemResponse {
  const error = new RequestError('invalid_request', 'Omit the Expect header, or send "Expect: 100-continue".');
  const problem = problemOf(error, requestIdOf(request.headers['x-request-id']));
  const payload = JSON.stringify(problem.body);
  response.writeHead(problem.status, { ...problem.headers, ...closingHeaders(payload) }).end(payload);
  return problem;
}
