import { connect } from 'node:net';
import { PROBLEMS, type ProblemCode } from '../errors.js';
import type { TestApp } from './app.js';

/** Texts that must never be in a response: traces, files, libraries, and secrets of the failing handler. */
const INSIDE = /\bat .*:\d+|node_modules|\.js\b|\.ts\b|fastify|FST_|HPE_|nestjs|hunter2|SELECT|statusCode/i;

/** A raw response. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Writes bytes to a new connection and returns everything received until the other side closed it.
 * @param drip written every 50 ms after that
 */
export async function sendRaw(port: number, bytes: string, drip?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Received data counts, even if the rest of the sent data causes a reset.
  socket.on('error', () => undefined);
  socket.write(bytes);
  const dripping = setInterval(() => drip !== undefined && socket.writable && socket.write(drip), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  return Buffer.concat(chunks).toString('utf8');
}

/** The same, and returns the response. */
export async function exchange(port: number, bytes: string, drip?: string): Promise<RawAnswer> {
  const [head = '', ...rest] = (await sendRaw(port, bytes, drip)).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(pairs), text: rest.join('\r\n\r\n') };
}

/** Returns a request after which the connection is closed. */
export function request(line: string, headers = '', body = ''): string {
  return `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`;
}

/** Sends a request to a test app over HTTP. */
export async function ask(test: TestApp, path: string, init: RequestInit = {}): Promise<RawAnswer> {
  const response = await fetch(`http://127.0.0.1:${test.port}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Expects a complete problem document of a code without internals, and returns it. */
export function expectProblem(answer: RawAnswer, code: ProblemCode): Record<string, unknown> {
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
    status: PROBLEMS[code].status,
    type: 'application/problem+json',
  });
  expect(problem).toMatchObject({ code, type: `/problems/${code}`, ...PROBLEMS[code], detail: expect.any(String) });
  expect(problem.instance).toMatch(/^[A-Za-z0-9-]{1,64}$/);
  expect(answer.headers.get('x-request-id')).toBe(problem.instance);
  expect(answer.text).not.toMatch(INSIDE);
  return problem;
}

/** Sends each request on a separate connection. @returns the problem codes of the responses, by name */
export async function codesOf(
  { port }: TestApp,
  requests: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const answers = Object.entries(requests).map(async ([name, bytes]) => {
    const answer = await exchange(port, bytes);
    const code = /"code":"(\w+)"/.exec(answer.text)?.[1] as ProblemCode | undefined;
    if (code !== undefined) expectProblem(answer, code);
    return [name, code ?? `${answer.status} ${answer.text}`];
  });
  return Object.fromEntries(await Promise.all(answers));
}
