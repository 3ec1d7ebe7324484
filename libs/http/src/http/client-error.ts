import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorOfStatus } from '../framework-error.js';
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
  return problemOf(errorOfStatus(statusOf(error, urlBytes)), requestIdOf(undefined));
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

/** Sockets that are about to be told, or have been: what still arrives on them is not looked at. */
const refused = new WeakSet<Socket>();

/**
 * Writes a problem straight to a socket that Fastify does not know, and closes it. Requests that arrived whole before the
 * broken one are answered first: an answer goes to the oldest request that has none, and a client must not take this one
 * for theirs.
 */
export function writeProblem(socket: Socket, answer: ProblemAnswer): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  writeInTurn(socket, answer);
}

function writeInTurn(socket: Socket, answer: ProblemAnswer): void {
  const pending = pendingOn(socket);
  if (pending?.req.complete && socket.writable) pending.once('close', () => writeInTurn(socket, answer));
  // A second status line would corrupt an answer that has begun.
  else if (!socket.writable || pending?.headersSent) socket.destroy();
  else write(socket, answer);
}

function write(socket: Socket, { status, headers, body }: ProblemAnswer): void {
  const payload = JSON.stringify(body);
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(payload), connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${payload}`, () => socket.destroySoon());
}

/** The answer that node is to give next on this socket. */
function pendingOn(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return message instanceof ServerResponse ? message : undefined;
}
