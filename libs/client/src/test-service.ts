import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CarbonClient } from './carbon-client.js';
import type { ClientOptions } from './options.js';

/** A real server that does what a test tells it, one thing for each request; the last again and again. */
export interface TestService {
  readonly url: string;
  /** What it was asked, oldest first. */
  readonly asked: readonly Asked[];
  /** A client of it that waits for as long as a busy machine takes, unless told otherwise. */
  client(options?: Partial<ClientOptions>): CarbonClient;
  /** Forgets what it was asked, and does this from now on. */
  will(...answers: readonly RequestListener[]): void;
  close(): Promise<void>;
}

/** One request as it came. */
export interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** When, by `performance.now()`. */
  readonly at: number;
  readonly socket: IncomingMessage['socket'];
}

/** The key that the clients of the tests have: it must not be seen anywhere. */
export const KEY = 'cl_live_test_do-not-show-me';

/** Starts one on a port of its own. */
export async function startService(): Promise<TestService> {
  let asked: Asked[] = [];
  let todo: readonly RequestListener[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers, socket } = request;
    asked.push({ method, path: url, headers, at: performance.now(), socket });
    todo[Math.min(asked.length, todo.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    get asked() {
      return asked;
    },
    client: (options) => new CarbonClient({ baseUrl: url, key: KEY, tryMs: 20_000, timeoutMs: 60_000, ...options }),
    will: (...answers) => {
      asked = [];
      todo = answers;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** One for all tests of a file: to be called at its top, it starts before them and is closed after them. */
export function serviceOfFile(): TestService {
  let started: TestService | undefined;
  const service = () => {
    if (started === undefined) throw new Error('the service of a file is for use within its tests');
    return started;
  };
  beforeAll(async () => {
    started = await startService();
  });
  afterAll(() => service().close());
  return {
    get url() {
      return service().url;
    },
    get asked() {
      return service().asked;
    },
    client: (options) => service().client(options),
    will: (...answers) => service().will(...answers),
    close: () => service().close(),
  };
}

/** What work failed with. */
export function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
}

/**
 * A service for one test alone: where a client gives up, its request may come when the next test has begun.
 */
export async function apart(work: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startService();
  await work(service).finally(() => service.close());
}

/** Answers with JSON. */
export function says(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return text(status, JSON.stringify(body), { 'content-type': 'application/json; charset=utf-8', ...headers });
}

/** Answers with a problem document. */
export function problem(
  status: number,
  code: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  const body = {
    type: `/problems/${code}`,
    title: 'T',
    status,
    detail: `about ${code}`,
    instance: 'r-1',
    code,
    ...more,
  };
  return says(status, body, { 'content-type': 'application/problem+json', 'retry-after': '0', ...headers });
}

/** Answers with a text as it is. */
export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(status, headers).end(body);
}

/** Never answers. */
export const hangs: RequestListener = () => {};

/** Ends the connection before a word. */
export const dies: RequestListener = (request) => void request.socket.destroy();

/** Sends half an answer, and ends the connection when that is out. */
export const diesMidBody: RequestListener = (_request, response) => {
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"message": "Offset', () => response.destroy());
};

/** The answer to a POST of an offset. */
export const accepts = says(202, { message: 'Offset event with ID: off_1 queued for processing.' });
