import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { CarbonClient } from '../carbon-client.js';
import type { ClientOptions } from '../options.js';

type Headers = Readonly<Record<string, string>>;

/** A received request; `at` is its time by `performance.now()`. */
interface ReceivedRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
  readonly socket: Socket;
}

/** The key of the clients in these tests, which must not be visible anywhere. */
export const KEY = 'cl_live_test_do-not-show-me';

/** A real server that responds as the test says, one listener per request; the last one repeats. */
export class TestService {
  /** The received requests, oldest first. */
  requests: ReceivedRequest[] = [];
  private answers: readonly RequestListener[] = [];
  private readonly server = createServer((request, response) => {
    const { url: path, headers, socket } = request;
    this.requests.push({ path, headers, at: performance.now(), socket });
    this.answers[Math.min(this.requests.length, this.answers.length) - 1]?.(request, response);
  });
  url = '';

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns a client of this server, by default with timeouts for a busy machine. */
  client(options?: Partial<ClientOptions>): CarbonClient {
    return new CarbonClient({ baseUrl: this.url, key: KEY, tryMs: 20_000, timeoutMs: 60_000, ...options });
  }

  /** Forgets the received requests, and responds with these listeners from now on. */
  respondWith(...answers: readonly RequestListener[]): void {
    this.requests = [];
    this.answers = answers;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** Starts one server for all tests of a file. Call it at the top of the file. */
export function serviceOfFile(): TestService {
  const service = new TestService();
  beforeAll(() => service.start());
  afterAll(() => service.close());
  return service;
}

/** Runs a test with its own service: a request that the client abandoned may arrive after the next test has started. */
export async function withOwnService(work: (service: TestService) => Promise<void>): Promise<void> {
  const service = new TestService();
  await service.start();
  await work(service).finally(() => service.close());
}

/** Returns the error with which `work` rejects. */
export function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
}

/** Responds with a text. */
export function text(status: number, body: string, headers: Headers = {}): RequestListener {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

/** Responds with JSON. */
export function json(status: number, body: unknown, headers: Headers = {}): RequestListener {
  return text(status, JSON.stringify(body), { 'content-type': 'application/json; charset=utf-8', ...headers });
}

/** Responds with a problem document. */
export function problem(status: number, code: string, more: object = {}, headers: Headers = {}): RequestListener {
  const described = { type: `/problems/${code}`, title: 'T', status, detail: `about ${code}`, instance: 'r-1', code };
  const sent = { 'content-type': 'application/problem+json', 'retry-after': '0', ...headers };
  return json(status, { ...described, ...more }, sent);
}

/** Never responds. */
export const neverRespond: RequestListener = () => {};

/** Closes the connection before the response. */
export const closeConnection: RequestListener = (request) => void request.socket.destroy();

/** Sends half of a response, and then closes the connection. */
export const closeMidBody: RequestListener = (_request, response) => {
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"message": "Offset', () => response.destroy());
};

/** The response to a POST of an offset. */
export const acceptOffset = json(202, { message: 'Offset event with ID: off_1 queued for processing.' });
