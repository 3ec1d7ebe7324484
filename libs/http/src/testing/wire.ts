import { connect } from 'node:net';
import { PROBLEMS, type ProblemCode } from '../errors.js';
import type { TestApp } from './app.js';

/** What must never be in an answer: traces, files, libraries, and what the broken handler knew. */
const INSIDE = /\bat .*:\d+|node_modules|\.js\b|\.ts\b|fastify|FST_|HPE_|nestjs|hunter2|SELECT|statusCode/i;

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Writes bytes to a fresh connection and gives all that came until the other side closed it. @param drip what is then written every 50 ms */
export async function converse(port: number, bytes: string, drip?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // What was received counts, also when the rest of what was sent is then reset.
  socket.on('error', () => undefined);
  socket.write(bytes);
  const dripping = setInterval(() => drip !== undefined && socket.writable && socket.write(drip), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  return Buffer.concat(chunks).toString('utf8');
}

/** The same, and gives the answer. */
export async function exchange(port: number, bytes: string, drip?: string): Promise<RawAnswer> {
  const [head = '', ...rest] = (await converse(port, bytes, drip)).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(pairs), text: rest.join('\r\n\r\n') };
}

/** A request after which the connection ends. */
export function request(line: string, headers = '', body = ''): string {
  return `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`;
}

/** Asks a test app over HTTP, as clients do. */
export async function ask(test: TestApp, path: string, init: RequestInit = {}): Promise<RawAnswer> {
  const response = await fetch(`http://127.0.0.1:${test.port}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Expects a whole problem document of a code, that holds nothing of the inside, and gives it. */
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

/** Sends each request on a connection of its own. @returns by their names, the codes of the problems they are answered with */
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
