import { connect } from 'node:net';
import { FAULTS, type FaultCode } from '../faults.js';
import type { TestApp } from './test-app.js';

/** What must never be in an answer: traces, files, libraries, and what the broken handler knew. */
const INSIDE = /\bat .*:\d+|node_modules|\.js\b|\.ts\b|fastify|FST_|HPE_|nestjs|hunter2|SELECT|statusCode/i;

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Writes bytes to a fresh connection, piece by piece, reads until the other side closes it, and gives the answer. */
export async function exchange(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  return parseAnswer(await converse(port, ...pieces));
}

/** The same, and gives all that came. */
export async function converse(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // What was received counts, also when the rest of what was sent is then reset.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) socket.write(piece);
  await closed;
  return Buffer.concat(chunks).toString('utf8');
}

/** Writes the beginning of a request, then one more piece every 50 ms, until the other side closes the connection. */
export async function drip(port: number, begin: string, more: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(begin);
  const dripping = setInterval(() => socket.writable && socket.write(more), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  return parseAnswer(Buffer.concat(chunks).toString('utf8'));
}

function parseAnswer(wire: string): RawAnswer {
  const [head = '', ...rest] = wire.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(pairs), text: rest.join('\r\n\r\n') };
}

/** Asks a test app over HTTP, as clients do. */
export async function ask(test: TestApp, path: string, init: RequestInit = {}): Promise<RawAnswer> {
  const response = await fetch(`http://127.0.0.1:${test.port}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Expects a whole problem document of a code, that holds nothing of the inside, and gives it. */
export function expectProblem(answer: RawAnswer, code: FaultCode): Record<string, unknown> {
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
