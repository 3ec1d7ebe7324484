import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { faultOfStatus } from '../framework-fault.js';
import { type ProblemAnswer, problemOf } from '../problem.js';
import { requestIdOf } from '../request-id.js';

/** What node's HTTP parser reports: a code, and the bytes it stumbled over. */
export interface ClientError extends Error {
  readonly code?: string;
  /** A Buffer, which Fastify's types describe by its JSON. */
  readonly rawPacket?: unknown;
}

/**
 * The problem for a request that never became one, or undefined when nobody is left to read it. Node reports an
 * over-long request line and over-long headers alike; only the bytes tell a 414 from a 431.
 */
export function problemOfClientError(error: ClientError, urlBytes: number): ProblemAnswer | undefined {
  if (error.code === 'ECONNRESET') return undefined;
  return problemOf(faultOfStatus(statusOf(error, urlBytes)), requestIdOf(undefined));
}

function statusOf(error: ClientError, urlBytes: number): number {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 400;
  return endlessLine(error.rawPacket, urlBytes) ? 414 : 431;
}

function endlessLine(packet: unknown, urlBytes: number): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]+ /.test(packet.subarray(0, 16).toString('latin1'))) return false;
  const end = packet.indexOf('\r\n');
  return end === -1 ? packet.length > urlBytes : end > urlBytes;
}

/** Writes a problem straight to a socket that Fastify does not know, and closes it. */
export function writeProblem(socket: Socket, { status, headers, body }: ProblemAnswer): void {
  if (!socket.writable || answerBegun(socket)) {
    socket.destroy();
    return;
  }
  const payload = JSON.stringify(body);
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(payload), connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${payload}`, () => socket.destroySoon());
}

/** Whether node has begun to answer on this socket; a second status line would corrupt that answer. */
function answerBegun(socket: Socket): boolean {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return typeof message === 'object' && message !== null && Reflect.get(message, 'headersSent') === true;
}
