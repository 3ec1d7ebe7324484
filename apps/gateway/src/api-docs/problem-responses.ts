import { PROBLEM_TYPE, PROBLEMS, type ProblemCode } from '@carbon/http';
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { PROBLEM_EXAMPLES, type ProblemExample } from './problem-examples.js';
import { PROBLEM_SCHEMAS, problemName } from './problem-schemas.js';
import { headers, LIMIT_HEADERS, type ResponseHeader } from './response-headers.js';

/** Codes with the common example, or the examples of an operation. */
export type OperationProblems = readonly (ProblemExample | Exclude<ProblemCode, 'invalid_request'>)[];

/** The headers of a status. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The problems of every URL, which are detected before its parameters are read. */
const OF_EVERY_URL: OperationProblems = [
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'header_too_large',
  'internal_error',
];
/** The problems of URLs under /v1, which need a key, another app or Kafka, and respond in JSON only. */
const OF_KEYED_URLS: OperationProblems = [
  'service_unavailable',
  'unauthorized',
  'forbidden',
  'not_acceptable',
  'rate_limited',
];
const OF_BODIES: OperationProblems = ['invalid_json', 'payload_too_large', 'unsupported_media_type'];

/** These are detected before the caller is known, so they have no limit headers. */
const BEFORE_AUTHENTICATION: ReadonlySet<number> = new Set([401, 405, 406, 408, 414, 431]);

/** Responses with one code are the same everywhere, and appear once in the document. */
const reused = new Map<string, ZodOpenApiResponseObject>();

/** Returns the problem responses of an operation by status: its own, and those it shares with others. */
export function problemResponses(
  own: OperationProblems,
  { isKeyed, hasBody }: { readonly isKeyed: boolean; readonly hasBody: boolean },
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const all = [...own, ...(hasBody ? OF_BODIES : []), ...(isKeyed ? OF_KEYED_URLS : []), ...OF_EVERY_URL];
  const examples = all.map((one) => (typeof one === 'string' ? PROBLEM_EXAMPLES[one] : one));
  const byStatus = Map.groupBy(examples, ({ problem }) => problem.status);
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, some]) => [String(status), response(status, some, isKeyed)]),
  );
}

function response(status: number, examples: readonly ProblemExample[], isKeyed: boolean): ZodOpenApiResponseObject {
  const codes = examples.map(({ problem }) => problem.code);
  const [first, ...others] = codes;
  const limits = isKeyed && !BEFORE_AUTHENTICATION.has(status) ? LIMIT_HEADERS : [];
  const made = {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: headers(...(HEADERS_OF_STATUS[status] ?? []), 'X-Request-Id', 'Cache-Control', ...limits),
    content: { [PROBLEM_TYPE]: { schema: schemaOf(codes), examples: examplesOf(examples) } },
  };
  if (others.length > 0 || first === undefined || first === 'invalid_request') return made;
  const hasOneForm = isKeyed || BEFORE_AUTHENTICATION.has(status);
  const id = problemName(first).replace(/Problem$/, hasOneForm ? '' : 'WithoutKey');
  const known = reused.get(id) ?? { id, ...made };
  reused.set(id, known);
  return known;
}

function schemaOf([first, ...others]: readonly ProblemCode[]): z.ZodType {
  if (first === undefined) throw new Error('A problem response needs a code.');
  if (others.length === 0) return PROBLEM_SCHEMAS[first];
  return z.discriminatedUnion('code', [PROBLEM_SCHEMAS[first], ...others.map((code) => PROBLEM_SCHEMAS[code])]);
}

function examplesOf(examples: readonly ProblemExample[]) {
  const entries = examples.map(({ summary, problem, request }) => {
    return [problem.code, { summary, ...(request && { 'x-request': request }), value: problem }] as const;
  });
  return Object.fromEntries(entries);
}
