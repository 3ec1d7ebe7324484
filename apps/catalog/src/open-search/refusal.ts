import { TransientError } from '@carbon/http';
import { errors } from '@opensearch-project/opensearch';
import { z } from 'zod';
import { openSearchAdvice } from './open-search-connection.js';

const PUBLIC_DETAIL = 'The asset library cannot be searched at the moment. Try again after the time in Retry-After.';

/** OpenSearch does not answer, or not now. The same question may be answered later. */
export class Outage extends TransientError {
  /** @param tellsAtOnce whether the answer, or its absence, was known at once, so that asking again costs little */
  constructor(
    readonly tellsAtOnce: boolean,
    cause?: unknown,
  ) {
    super('service_unavailable', PUBLIC_DETAIL, { cause });
  }
}

/** OpenSearch has read the question and refuses it: asking again changes nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param type OpenSearch's word for the reason, such as `index_not_found_exception` */
  constructor(
    readonly status: number,
    readonly type: string,
    cause?: unknown,
  ) {
    super(`OpenSearch refuses: ${status} ${type}`, { cause });
  }
}

/** Busy, too slow, or in front of an engine that is: 429 and the gateway statuses. 401 and 403: see `mayPass`. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 429, 502, 503, 504]);

/** Reasons that lie with the engine and not with what was asked, whatever the status they come with. */
const PASSING_TYPES: ReadonlySet<string> = new Set([
  'cluster_block_exception',
  'index_closed_exception',
  'task_cancelled_exception',
  'no_shard_available_action_exception',
  'unavailable_shards_exception',
  'process_cluster_event_timeout_exception',
]);

/** Reasons that lie with what was asked, though some of them come with 500: it was compiled to what is not taken. */
const REFUSING_TYPES: ReadonlySet<string> = new Set([
  'too_many_clauses',
  'too_many_nested_clauses',
  'too_complex_to_determinize_exception',
  'query_shard_exception',
  'parsing_exception',
  'illegal_argument_exception',
  'number_format_exception',
]);

/**
 * Whether the same thing may succeed later: overload, a full disk (403 `cluster_block_exception`), a closed index, also a
 * wrong password (401, 403): whoever mends any of them must not find that messages were given up meanwhile.
 */
export function mayPass(status: number, type: string): boolean {
  return PASSING_STATUSES.has(status) || PASSING_TYPES.has(type);
}

const errorBody = z.object({
  error: z.object({ type: z.string(), root_cause: z.array(z.object({ type: z.string() })).default([]) }),
});

/** What an error of the client means to us. */
export function faultOf(error: unknown): Error {
  if (!(error instanceof errors.ResponseError)) {
    const timedOut = error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError;
    return new Outage(!timedOut, withAdvice(error));
  }
  return faultOfBody(error.meta.statusCode ?? 0, error.body, error);
}

/** What goes to the log with a wrong setting says what to change. */
function withAdvice(error: unknown): unknown {
  const advice = openSearchAdvice(error);
  return advice === undefined ? error : new Error(advice, { cause: error });
}

/** What an error that OpenSearch answers with means to us; also of one search among several. */
export function faultOfBody(status: number, body: unknown, cause?: unknown): Outage | Refusal {
  const read = errorBody.safeParse(body);
  const types = read.success ? [read.data.error.type, ...read.data.error.root_cause.map(({ type }) => type)] : [];
  if (types.some((type) => mayPass(status, type)) || mayPass(status, '')) return new Outage(true, withAdvice(cause));
  if (status >= 500 && !types.some((type) => REFUSING_TYPES.has(type))) {
    // The engine failed, as when it closes a shard; its word for it is for the log.
    return new Outage(true, new Error(`OpenSearch fails: ${status} ${types.at(-1) ?? 'unknown'}`, { cause }));
  }
  return new Refusal(status, types.at(-1) ?? 'unknown', cause);
}

/** Of a search's refusal that there is no such index, an outage: before the first generation is live there is no alias. */
export function notYetIndexed(error: unknown): never {
  if (error instanceof Refusal && error.type === 'index_not_found_exception') throw new Outage(false, error);
  throw error;
}
