import { errors } from '@opensearch-project/opensearch';
import { retryOnce } from './open-search.js';
import { OpenSearchRequestError, OpenSearchUnavailableError, openSearchError } from './open-search-errors.js';

const answered = (statusCode: number, body: unknown) =>
  new errors.ResponseError({ statusCode, body, headers: {}, warnings: null, meta: {} } as never);
const saying = (type: string, root = type) => ({ error: { type, root_cause: [{ type: root }] }, status: 0 });

describe('a response of OpenSearch', () => {
  it.each([
    ['no connection', new errors.ConnectionError('connect ECONNREFUSED'), true],
    ['a time-out', new errors.TimeoutError('Request timed out', {} as never), false],
    ['our own deadline', new errors.RequestAbortedError('Request aborted', {} as never), false],
    ['an answer that is no JSON', new errors.DeserializationError('Unexpected token', '<html>'), true],
    ['429', answered(429, saying('rejected_execution_exception')), true],
    ['502 in HTML', answered(502, '<html>'), true],
    ['a cancelled search', answered(500, saying('task_cancelled_exception')), true],
    ['a full disk', answered(403, saying('index_create_block_exception')), true],
  ])('is an outage when it is %s', (_, error, isImmediate) => {
    expect(openSearchError(error)).toBeInstanceOf(OpenSearchUnavailableError);
    expect(openSearchError(error)).toMatchObject({ code: 'service_unavailable', isImmediate, cause: error });
  });

  it.each([
    ['a wrong password, with what to change', answered(401, 'Unauthorized'), /OPENSEARCH_/],
    ['a missing permission, with where they are listed', answered(403, saying('security_exception')), /permissions/],
    [
      'whatever fails within the engine, by its name',
      answered(500, saying('already_closed_exception')),
      /^OpenSearch failed: 500 already_closed_exception$/,
    ],
    ['a failure without a name', answered(500, 'what?'), /500/],
  ])('is an outage when it is %s', (_, cause, message) => {
    const outage = openSearchError(cause);
    expect(outage).toBeInstanceOf(OpenSearchUnavailableError);
    expect(outage).toMatchObject({ isImmediate: true, cause: { message: expect.stringMatching(message), cause } });
  });

  it.each<[number, unknown, string]>([
    [400, saying('parsing_exception'), 'parsing_exception'],
    [404, saying('index_not_found_exception'), 'index_not_found_exception'],
    [500, saying('too_many_nested_clauses'), 'too_many_nested_clauses'],
    [400, saying('search_phase_execution_exception', 'query_shard_exception'), 'query_shard_exception'],
    [500, saying('search_phase_execution_exception', 'query_shard_exception'), 'query_shard_exception'],
    [400, 'what?', 'unknown'],
  ])('is a rejection with the type of its root cause when it is %d %j', (status, body, type) => {
    expect(openSearchError(answered(status, body))).toBeInstanceOf(OpenSearchRequestError);
    expect(openSearchError(answered(status, body))).toMatchObject({ status, type });
  });
});

describe('retrying once', () => {
  const { signal } = new AbortController();

  /** Fails this many times, then succeeds. */
  function failing(times: number, isImmediate = true) {
    const left: number[] = [];
    const ask = async (leftMs: number) => {
      left.push(leftMs);
      if (left.length <= times) throw new OpenSearchUnavailableError(isImmediate);
      return 'answer';
    };
    return { ask, left };
  }

  it('retries an immediate failure, within the same deadline', async () => {
    const { ask, left } = failing(1);
    expect(await retryOnce({ timeoutMs: 10_000, signal }, ask)).toBe('answer');
    expect(left[0]).toBe(10_000);
    expect(left[1]).toBeLessThanOrEqual(9_900);
  });

  it('retries no second time, and not after a slow failure or with too little time left', async () => {
    for (const [{ ask, left }, timeoutMs, times] of [
      [failing(2), 10_000, 2],
      [failing(1, false), 10_000, 1],
      [failing(1), 350, 1],
    ] as const) {
      await expect(retryOnce({ timeoutMs, signal }, ask)).rejects.toThrow(OpenSearchUnavailableError);
      expect(left).toHaveLength(times);
    }
  });

  it('does not retry when no caller waits any more', async () => {
    for (const abort of [
      (leaving: AbortController) => leaving.abort(),
      (leaving: AbortController) => setImmediate(() => leaving.abort()),
    ]) {
      const [leaving, { ask, left }] = [new AbortController(), failing(1)];
      abort(leaving);
      await expect(retryOnce({ timeoutMs: 1_000, signal: leaving.signal }, ask)).rejects.toThrow();
      expect(left).toHaveLength(1);
    }
  });
});
