import { errors } from '@opensearch-project/opensearch';
import { faultOf, Outage, Refusal } from './refusal.js';

const answered = (statusCode: number, body: unknown) =>
  new errors.ResponseError({ statusCode, body, headers: {}, warnings: null, meta: {} } as never);
const saying = (type: string) => ({ error: { type, root_cause: [{ type }] }, status: 0 });

describe('faultOf', () => {
  it('takes a wrong password for an outage, and says what to change', () => {
    const error = answered(401, 'Unauthorized');
    const outage = faultOf(error);
    expect(outage).toBeInstanceOf(Outage);
    expect(outage).toMatchObject({
      tellsAtOnce: true,
      cause: { message: expect.stringContaining('OPENSEARCH_'), cause: error },
    });
  });

  it.each([
    ['no connection', new errors.ConnectionError('connect ECONNREFUSED'), true],
    ['a time-out', new errors.TimeoutError('Request timed out', {} as never), false],
    ['our own deadline', new errors.RequestAbortedError('Request aborted', {} as never), false],
    ['an answer that is no JSON', new errors.DeserializationError('Unexpected token', '<html>'), true],
    ['429', answered(429, saying('rejected_execution_exception')), true],
    ['502 in HTML', answered(502, '<html>'), true],
    ['a cancelled search', answered(500, saying('task_cancelled_exception')), true],
  ])('takes %s for an outage', (_, error, tellsAtOnce) => {
    expect(faultOf(error)).toBeInstanceOf(Outage);
    expect(faultOf(error)).toMatchObject({ code: 'service_unavailable', tellsAtOnce, cause: error });
  });

  it.each([
    [400, 'parsing_exception'],
    [404, 'index_not_found_exception'],
    [500, 'too_many_nested_clauses'],
  ])('takes %d %s for a refusal', (status, type) => {
    expect(faultOf(answered(status, saying(type)))).toBeInstanceOf(Refusal);
    expect(faultOf(answered(status, saying(type)))).toMatchObject({ status, type });
  });

  it('takes whatever fails within the engine for an outage, and names it for the log', () => {
    const closed = answered(500, saying('already_closed_exception'));
    expect(faultOf(closed)).toBeInstanceOf(Outage);
    expect(faultOf(closed)).toMatchObject({
      tellsAtOnce: true,
      cause: { message: 'OpenSearch fails: 500 already_closed_exception', cause: closed },
    });
    expect(faultOf(answered(500, 'what?'))).toBeInstanceOf(Outage);
  });

  it('takes a search that fails for what was asked for a refusal, though it fails with 500', () => {
    const body = {
      error: { type: 'search_phase_execution_exception', root_cause: [{ type: 'query_shard_exception' }] },
    };
    expect(faultOf(answered(500, body))).toMatchObject({ name: 'Refusal', type: 'query_shard_exception' });
  });

  it('names the root of a refusal, where it is told', () => {
    const body = {
      error: { type: 'search_phase_execution_exception', root_cause: [{ type: 'query_shard_exception' }] },
    };
    expect(faultOf(answered(400, body))).toMatchObject({ type: 'query_shard_exception' });
    expect(faultOf(answered(400, 'what?'))).toMatchObject({ status: 400, type: 'unknown' });
  });
});
