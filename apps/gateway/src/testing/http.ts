import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CANARY, OpenApiValidator } from '@carbon/testing';

/** A request, sent as it is: nothing in the path is repaired, and a header with several values is sent several times. */
export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An object is sent as JSON; text and bytes are sent as they are, without a content type. */
  readonly body?: object | string | Buffer;
}

/** The response to a request. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The body as JSON. */
  readonly json: unknown;
  /** Milliseconds from the request to the last byte. */
  readonly ms: number;
}

/** Headers that clients may send unasked, and that no log may contain. */
const MARKED = { cookie: CANARY, 'user-agent': CANARY };

/** Sends a request to the server at `url`, on a connection of its own. */
export async function send(url: string, request: TestRequest): Promise<TestResponse> {
  const { method = 'GET', path, headers = {}, body } = request;
  const { hostname, port } = new URL(url);
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const type = isJson ? { 'content-type': 'application/json' } : {};
  const begin = performance.now();
  return await new Promise((resolve, reject) => {
    const all = { ...MARKED, ...type, ...headers };
    const sent = httpRequest({ hostname, port, method, path, headers: all, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      buffer(response).then((bytes) => {
        const { statusCode: status = 0, headers } = response;
        resolve(responseOf(status, headers, bytes, begin));
      }, reject);
    });
    sent.end(isJson ? JSON.stringify(body) : body);
  });
}

const api = new OpenApiValidator();

/** Sends a request to a gateway. Rejects a response that the description of the API does not allow. */
export async function sendChecked(url: string, request: TestRequest): Promise<TestResponse> {
  const response = await send(url, request);
  const { method = 'GET', path } = request;
  const { status, headers, body } = response;
  api.requireValid({ method, path, status, headers, body });
  return response;
}

/** Writes bytes to a fresh connection, reads until the other side closes it, and returns the last response. */
export async function exchange(url: string, bytes: string): Promise<TestResponse> {
  const begin = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  const wire = (await buffer(socket)).toString('utf8');
  const [head = '', body = ''] = wire.slice(wire.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]);
  return responseOf(Number(statusLine.split(' ')[1]), Object.fromEntries(headers), Buffer.from(body), begin);
}

function responseOf(status: number, headers: TestResponse['headers'], body: Buffer, begin: number): TestResponse {
  return {
    status,
    headers,
    body,
    get json(): unknown {
      return JSON.parse(body.toString('utf8'));
    },
    ms: performance.now() - begin,
  };
}

/** Matches a problem document: its status, its code and its other members; with 503 also `Retry-After`. */
export function problem(status: number, code: string, more: object = {}): object {
  return expect.objectContaining({
    status,
    headers: expect.objectContaining({
      'content-type': 'application/problem+json',
      ...(status === 503 && { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) }),
    }),
    json: expect.objectContaining({
      type: `/problems/${code}`,
      title: expect.any(String),
      status,
      detail: expect.any(String),
      instance: expect.any(String),
      code,
      ...more,
    }),
  });
}

/** Matches the problem document that lists these errors, each as `[field, code]` with further members, and no others. */
export function invalidRequest(...errors: readonly (readonly [string, string, object?])[]): object {
  const listed = errors.map(([field, code, more]) => expect.objectContaining({ field, code, ...more }));
  return problem(400, 'invalid_request', { errors: listed });
}

/** How many of the responses have each status. */
export function countByStatus(responses: readonly TestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
