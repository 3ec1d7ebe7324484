import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { CANARY, DescribedApi } from '@carbon/testing';

/** One request, sent as it is: nothing in the path is repaired, and a header with several values is sent several times. */
export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An object is sent as JSON; text and bytes are sent as they are, without a content type. */
  readonly body?: object | string | Buffer;
}

/** What came back. `ms` is how long it took. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The body as JSON. */
  readonly json: unknown;
  readonly ms: number;
}

/** What clients send that nobody asks for, and that no log may hold. */
const MARKED = { cookie: CANARY, 'user-agent': CANARY };

/** Asks the server at `url`. */
export async function ask(url: string, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const type = isJson ? { 'content-type': 'application/json' } : {};
  const begin = performance.now();
  return await new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { ...MARKED, ...type, ...headers }, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      buffer(response).then((bytes) => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes,
          get json(): unknown {
            return JSON.parse(bytes.toString('utf8'));
          },
          ms: performance.now() - begin,
        });
      }, reject);
    });
    sent.end(isJson ? JSON.stringify(body) : body);
  });
}

const api = new DescribedApi();

/** Asks a gateway. Rejects when it answers what the description of the API does not hold. */
export async function askDescribed(url: string, question: Question): Promise<Answer> {
  const answer = await ask(url, question);
  const { method = 'GET', path } = question;
  const { status, headers, body } = answer;
  api.requireDescribed({ method, path, status, headers, body });
  return answer;
}

/** A problem document is expected: its status, its code and what else it says; with 503 also when to try again. */
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
