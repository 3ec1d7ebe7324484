import { TransientError } from '@carbon/http';
import { errors } from '@opensearch-project/opensearch';
import { z } from 'zod';
import { openSearchHint } from './open-search-connection.js';

const PUBLIC_DETAIL = 'The asset library cannot be searched at the moment. Try again after the time in Retry-After.';

/** OpenSearch is unreachable, too slow or overloaded. The same request may succeed later. */
export class OpenSearchUnavailableError extends TransientError {
  /** @param isImmediate whether the failure was known at once, so that a retry costs little */
  constructor(
    readonly isImmediate: boolean,
    cause?: unknown,
  ) {
    super('service_unavailable', PUBLIC_DETAIL, { cause });
  }
}

/** OpenSearch rejected the request: a retry changes nothing. */
export class OpenSearchRequestError extends Error {
  override readonly name = 'OpenSearchRequestError';

  /** @param type OpenSearch's error type, such as `index_not_found_exception` */
  constructor(
    readonly status: number,
    readonly type: string,
    cause?: unknown,
  ) {
    super(`OpenSearch rejected the request: ${status} ${type}`, { cause });
  }
}

/** Overload, timeouts and errors of a proxy; for 401 and 403 see `isTransient`. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 429, 502, 503, 504]);

/** Failures of the engine and not of the request, whatever their status. */
const TRANSIENT_TYPES: ReadonlySet<string> = new Set([
  'cluster_block_exception',
  'index_closed_exception',
  'task_cancelled_exception',
  'no_shard_available_action_exception',
  'unavailable_shards_exception',
  'process_cluster_event_timeout_exception',
]);

/** Failures of the request, although OpenSearch responds with 500 to some of them. */
const REQUEST_TYPES: ReadonlySet<string> = new Set([
  'too_many_clauses',
  'too_many_nested_clauses',
  'too_complex_to_determinize_exception',
  'query_shard_exception',
  'parsing_exception',
  'illegal_argument_exception',
  'number_format_exception',
]);

/**
 * Returns whether the same request may succeed later. A block, as on full disks (403 `index_create_block_exception`), a closed index and a wrong
 * password (401, 403) are transient too, because no message may be dead-lettered before an operator fixes them.
 */
export function isTransient(status: number, type: string): boolean {
  return TRANSIENT_STATUSES.has(status) || TRANSIENT_TYPES.has(type);
}

const errorBody = z.object({
  error: z.object({ type: z.string(), root_cause: z.array(z.object({ type: z.string() })).default([]) }),
});

/** Translates an error of the client. */
export function openSearchError(error: unknown): Error {
  if (!(error instanceof errors.ResponseError)) {
    const timedOut = error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError;
    return new OpenSearchUnavailableError(!timedOut, withHint(error));
  }
  return responseError(error.meta.statusCode ?? 0, error.body, error);
}

/** The log then names the setting to change. */
function withHint(error: unknown): unknown {
  const hint = openSearchHint(error);
  return hint === undefined ? error : new Error(hint, { cause: error });
}

/** Translates an error response, also one of several in a multi-search. */
export function responseError(
  status: number,
  body: unknown,
  cause?: unknown,
): OpenSearchUnavailableError | OpenSearchRequestError {
  const { data } = errorBody.safeParse(body);
  const types = data ? [data.error.type, ...data.error.root_cause.map(({ type }) => type)] : [];
  if (isTransient(status, '') || types.some((type) => isTransient(status, type))) {
    return new OpenSearchUnavailableError(true, withHint(cause));
  }
  if (status >= 500 && !types.some((type) => REQUEST_TYPES.has(type))) {
    const failure = new Error(`OpenSearch failed: ${status} ${types.at(-1) ?? 'unknown'}`, { cause });
    return new OpenSearchUnavailableError(true, failure);
  }
  return new OpenSearchRequestError(status, types.at(-1) ?? 'unknown', cause);
}

/** Rethrows the error of a search; a missing alias means that no generation is live yet, so the search may succeed later. */
export function throwUnavailableIfNoIndex(error: unknown): never {
  if (error instanceof OpenSearchRequestError && error.type === 'index_not_found_exception') {
    throw new OpenSearchUnavailableError(false, error);
  }
  throw error;
}
