import { fieldsOf } from '@carbon/contracts';
import {
  Cursors,
  checkBody,
  type ParameterSpec,
  type Problem,
  type ProblemCode,
  problemOf,
  RequestError,
  readJson,
  readParameters,
} from '@carbon/http';
import { HttpException } from '@nestjs/common';
import type { z } from 'zod';
import { invalidKey } from '../auth/api-key-authenticator.js';
import { missingScope } from '../auth/scopes.js';
import { rateLimited } from '../limits/rate-limiter.js';
import { keyReused } from '../offsets/idempotency-cache.js';
import { notAccepted, outcomeUnknown } from '../offsets/offset-requested.js';
import { notFound } from '../requests.js';
import { upstreamUnavailable } from '../upstream/upstream-client.js';

/** A request that an open gateway answers with the example; a test sends it and compares the response. */
export interface ExampleRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, exactly as it is sent. */
  readonly body?: string;
}

/** An example of a problem document. */
export interface ProblemExample {
  readonly summary: string;
  readonly problem: Problem;
  readonly request?: ExampleRequest;
}

/** The id of the request in every example. */
export const EXAMPLE_REQUEST_ID = '5f0c3a52-8a4e-4c39-9d1b-2f7d6f1f7a10';

/** A POST of JSON. */
export function post(path: string, body: string): ExampleRequest {
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body };
}

/** A plain GET. */
export function get(path: string): ExampleRequest {
  return { method: 'GET', path };
}

/** Returns the problem document of an error as an example. */
export function problemExample(summary: string, error: unknown, request?: ExampleRequest): ProblemExample {
  return { summary, problem: problemOf(error, EXAMPLE_REQUEST_ID).body, ...(request && { request }) };
}

/** Returns the example of an invalid request. @param read parses the request; it must throw */
export function invalidExample(summary: string, request: ExampleRequest, read: () => unknown): ProblemExample {
  return problemExample(summary, errorOf(read), request);
}

/** The example of a URL with an invalid query. */
export function invalidUrl(summary: string, url: string, parameters: ParameterSpec): ProblemExample {
  return invalidExample(summary, get(url), () => readParameters(url, parameters));
}

/** The example of a POST with an invalid body. */
export function invalidBody(summary: string, path: string, schema: z.ZodType, body: object): ProblemExample {
  return invalidExample(summary, post(path, JSON.stringify(body)), () => checkBody(schema, body));
}

function errorOf(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    return error;
  }
  throw new Error('The example of an invalid request is valid.');
}

const MALFORMED_JSON = '{"kgCO2e": 1234.5,}';
const CURSOR = 'second-page';

const misspelledField = new RequestError('invalid_criteria', 'criteria: unknown field "tiker"', {
  members: { snippet: 'tiker:BCT and rating >= 4\n^^^^^' },
  items: [
    {
      field: 'criteria',
      code: 'unknown_field',
      detail: 'unknown field "tiker"',
      position: 0,
      length: 5,
      suggestion: 'ticker',
      allowed: fieldsOf('POOL'),
      rewrite: { position: 0, length: 5, text: 'ticker' },
    },
  ],
});

/** One example for each problem code except `invalid_request`, whose examples are with each operation. */
type CommonExamples = Readonly<Record<Exclude<ProblemCode, 'invalid_request'>, ProblemExample>>;

/** The examples that several operations share. */
export const PROBLEM_EXAMPLES: CommonExamples = {
  invalid_json: problemExample(
    'A trailing comma',
    errorOf(() => readJson(Buffer.from(MALFORMED_JSON), 1)),
    post('/v1/offsets', MALFORMED_JSON),
  ),
  invalid_criteria: problemExample(
    'A misspelled field',
    misspelledField,
    get('/v1/assets/pools?criteria=tiker%3ABCT%20and%20rating%20%3E%3D%204&fullTextSearch='),
  ),
  invalid_cursor: problemExample(
    'A cursor that the service did not make',
    errorOf(() => new Cursors(['a secret']).read(CURSOR, { route: '', account: '', parameters: {} })),
    get(`/v1/offsets?cursor=${CURSOR}`),
  ),
  unauthorized: problemExample('A missing or invalid key', invalidKey()),
  forbidden: problemExample('A key without the scope', missingScope('offsets:write')),
  not_found: problemExample(
    'An id that the service did not issue',
    notFound('offset'),
    get('/v1/offsets?id=off_00000000000000000000000000'),
  ),
  method_not_allowed: problemExample(
    'An offset cannot be deleted',
    new RequestError(
      'method_not_allowed',
      'This URL does not support DELETE. Allowed methods: GET, HEAD, OPTIONS, POST.',
    ),
    { method: 'DELETE', path: '/v1/offsets' },
  ),
  not_acceptable: problemExample('A client that accepts only HTML', ofStatus(406), {
    ...get('/v1/assets/schema'),
    headers: { accept: 'text/html' },
  }),
  request_timeout: problemExample('A body that stops halfway', ofStatus(408)),
  insufficient_supply: problemExample(
    'More than is available',
    new RequestError(
      'insufficient_supply',
      'Only 50 credits of this asset are available, fewer than this estimate needs. Ask for less, or try again later.',
    ),
    post('/v1/estimates', '{"kgCO2e": 50001, "asset": "proj_strp041"}'),
  ),
  payload_too_large: problemExample('A body of more than 16 KiB', ofStatus(413)),
  uri_too_long: problemExample('A URL of more than 16 KiB', ofStatus(414)),
  unsupported_media_type: problemExample('A form', ofStatus(415), {
    method: 'POST',
    path: '/v1/offsets',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'kgCO2e=1234.5',
  }),
  idempotency_key_reused: problemExample('The same key with another weight', keyReused(true)),
  rate_limited: problemExample(
    'More than the plan allows',
    rateLimited('key', { name: 'small', perSecond: 5, burst: 20 }, 0),
  ),
  header_too_large: problemExample('Request headers of more than 24 KiB', ofStatus(431)),
  internal_error: problemExample('A bug', new Error()),
  service_unavailable: problemExample('An app that does not answer', upstreamUnavailable('offsets service')),
  not_accepted: problemExample('Nothing was recorded', notAccepted('order-4711')),
  outcome_unknown: problemExample('The offset may have been recorded', outcomeUnknown('order-4711')),
};

/** Returns a framework error. A hoisted function, because the table above uses it. */
function ofStatus(status: number): HttpException {
  return new HttpException('', status);
}
