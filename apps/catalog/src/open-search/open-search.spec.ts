import { errors } from '@opensearch-project/opensearch';
import { retryOnce } from './open-search.js';
import { OpenSearchRequestError, OpenSearchUnavailableError, openSearchError } from './open-search-errors.js';

const httpError = (statusCode: number, body: unknown) =>
  new errors.ResponseError({ statusCode, body, headers: {}, warnings: null, meta: {} } as never);
const errorBody = (type: string, root = type) => ({ error: { type, root_cause: [{ type: root }] }, status: 0 });

describe('an error of the OpenSearch client', () => {
  it.each([
    ['a refused connection', new errors.ConnectionError('connect ECONNREFUSED'), true],
    ['a timeout', new errors.TimeoutError('Request timed out', {} as never), false],
    ['an abort at our deadline', new errors.RequestAbortedError('Request aborted', {} as never), false],
    ['a response that is not JSON', new errors.DeserializationError('Unexpected token', '<html>'), true],
    ['a 429', httpError(429, errorBody('rejected_execution_exception')), true],
    ['a 502 with HTML', httpError(502, '<html>'), true],
    ['a cancelled search', httpError(500, errorBody('task_cancelled_exception')), true],
    ['a full disk', httpError(403, errorBody('index_create_block_exception')), true],
  ])('is an outage when it is %s', (_, error, isImmediate) => {
    expect(openSearchError(error)).toBeInstanceOf(OpenSearchUnavailableError);
    expect(openSearchError(error)).toMatchObject({ code: 'service_unavailable', isImmediate, cause: error });
  });

  it.each([
    ['the setting to change for a wrong password', httpError(401, 'Unauthorized'), /OPENSEARCH_/],
    ['the list of permissions if one is missing', httpError(403, errorBody('security_exception')), /permissions/],
    [
      'the type of an internal error',
      httpError(500, errorBody('already_closed_exception')),
      /^OpenSearch failed: 500 already_closed_exception$/,
    ],
    ['the status of an error without a type', httpError(500, 'what?'), /500/],
  ])('is an outage whose cause names %s', (_, cause, message) => {
    const outage = openSearchError(cause);
    expect(outage).toBeInstanceOf(OpenSearchUnavailableError);
    expect(outage).toMatchObject({ isImmediate: true, cause: { message: expect.stringMatching(message), cause } });
  });

  it.each<[number, unknown, string]>([
    [400, errorBody('parsing_exception'), 'parsing_exception'],
    [404, errorBody('index_not_found_exception'), 'index_not_found_exception'],
    [500, errorBody('too_many_nested_clauses'), 'too_many_nested_clauses'],
    [400, errorBody('search_phase_execution_exception', 'query_shard_exception'), 'query_shard_exception'],
    [500, errorBody('search_phase_execution_exception', 'query_shard_exception'), 'query_shard_exception'],
    [400, 'what?', 'unknown'],
  ])('is a rejection with the type of its root cause when it is %d %j', (status, body, type) => {
    expect(openSearchError(httpError(status, body))).toBeInstanceOf(OpenSearchRequestError);
    expect(openSearchError(httpError(status, body))).toMatchObject({ status, type });
  });
});

describe('retryOnce', () => {
  const { signal } = new AbortController();

  /** Returns a call that fails this many times, then succeeds, and the timeouts with which it was attempted. */
  function failingCall(failures: number, isImmediate = true) {
    const timeouts: number[] = [];
    const attempt = async (leftMs: number) => {
      timeouts.push(leftMs);
      if (timeouts.length <= failures) throw new OpenSearchUnavailableError(isImmediate);
      return 'response';
    };
    return { attempt, timeouts };
  }

  it('retries an immediate failure, within the same deadline', async () => {
    const { attempt, timeouts } = failingCall(1);
    expect(await retryOnce({ timeoutMs: 10_000, signal }, attempt)).toBe('response');
    expect(timeouts[0]).toBe(10_000);
    expect(timeouts[1]).toBeLessThanOrEqual(9_900);
  });

  it('does not retry twice, after a slow failure, or with too little time left', async () => {
    for (const [{ attempt, timeouts }, timeoutMs, attempts] of [
      [failingCall(2), 10_000, 2],
      [failingCall(1, false), 10_000, 1],
      [failingCall(1), 350, 1],
    ] as const) {
      await expect(retryOnce({ timeoutMs, signal }, attempt)).rejects.toThrow(OpenSearchUnavailableError);
      expect(timeouts).toHaveLength(attempts);
    }
  });

  it('does not retry after the caller has aborted', async () => {
    for (const abort of [
      (caller: AbortController) => caller.abort(),
      (caller: AbortController) => setImmediate(() => caller.abort()),
    ]) {
      const [caller, { attempt, timeouts }] = [new AbortController(), failingCall(1)];
      abort(caller);
      await expect(retryOnce({ timeoutMs: 1_000, signal: caller.signal }, attempt)).rejects.toThrow();
      expect(timeouts).toHaveLength(1);
    }
  });
});
