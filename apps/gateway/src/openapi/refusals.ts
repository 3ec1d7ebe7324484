import { PROBLEM_TYPE, PROBLEMS, type ProblemCode } from '@carbon/http';
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type AnswerHeader, headers } from './answer-headers.js';
import { COMMON_REFUSALS } from './examples/common-refusals.js';
import { problemIn, type Refused } from './examples/refused.js';
import { PROBLEM_VIEWS, problemName } from './problems/problem-views.js';

/** The headers that a status brings with it. */
const OF_STATUS: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** What any address may answer, before it is looked at what is asked of it. */
const ANYWHERE = [
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'header_too_large',
  'internal_error',
] as const satisfies readonly ProblemCode[];

/** What every address that needs a key may answer besides: those under /v1, which alone insist on JSON being taken. */
const KEYED = ['unauthorized', 'forbidden', 'not_acceptable', 'rate_limited'] as const satisfies readonly ProblemCode[];

/** What a body may be answered with. */
const WITH_BODY = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[];

/** Refusals by status, as an operation has them among its answers. */
export type Refusals = Record<`${4 | 5}${string}`, ZodOpenApiResponseObject>;

/** What an operation can refuse. */
export interface Refusing {
  /** What only this operation refuses so; an example of its own, or the common one of the code. */
  readonly own: readonly (Refused | Exclude<ProblemCode, 'invalid_request'>)[];
  /** Whether it needs a key. */
  readonly keyed?: boolean;
  /** Whether it takes a body. */
  readonly body?: boolean;
}

/** The answers that are no success, by status: an operation's own and those it shares with others. */
export function refusals({ own, keyed = true, body = false }: Refusing): Refusals {
  const codes = [...own, ...(body ? WITH_BODY : []), ...(keyed ? KEYED : []), ...ANYWHERE];
  const all = codes.map((one): Refused => (typeof one === 'string' ? COMMON_REFUSALS[one] : one));
  const byStatus = Map.groupBy(all, ({ code }) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, some]) => [String(status), refusal(status, some, keyed)]),
  );
}

const OF_LIMITS: readonly AnswerHeader[] = ['RateLimit-Policy', 'RateLimit'];

/** Refused before it is known who calls, so that no limit can be told. */
const OF_NOBODY: ReadonlySet<number> = new Set([401, 405, 406, 408, 414, 431]);

/** Answers with one code are the same everywhere, and stand in the document once. */
const once = new Map<string, ZodOpenApiResponseObject>();

function refusal(status: number, some: readonly Refused[], keyed: boolean): ZodOpenApiResponseObject {
  const [first] = some;
  const more = keyed && !OF_NOBODY.has(status) ? OF_LIMITS : [];
  const made = {
    description: some.map(({ code }) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: headers(...(OF_STATUS[status] ?? []), 'X-Request-Id', 'Cache-Control', ...more),
    content: { [PROBLEM_TYPE]: { schema: schemaOf(some), examples: examplesOf(some) } },
  };
  if (some.length > 1 || first === undefined || first.code === 'invalid_request') return made;
  const id = problemName(first.code).replace(/Problem$/, keyed || OF_NOBODY.has(status) ? '' : 'WithoutKey');
  const known = once.get(id) ?? { id, ...made };
  once.set(id, known);
  return known;
}

function schemaOf([first, ...rest]: readonly Refused[]): z.ZodType {
  if (first === undefined) throw new Error('A refusal needs a code.');
  if (rest.length === 0) return PROBLEM_VIEWS[first.code];
  return z.discriminatedUnion('code', [PROBLEM_VIEWS[first.code], ...rest.map(({ code }) => PROBLEM_VIEWS[code])]);
}

function examplesOf(some: readonly Refused[]) {
  const entries = some.map((refused) => {
    const { code, summary, asked } = refused;
    return [code, { summary, ...(asked && { 'x-request': asked }), value: problemIn(refused) }] as const;
  });
  return Object.fromEntries(entries);
}
