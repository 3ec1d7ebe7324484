import { bulkAnswer, bulkItems, outcomeOf } from './bulk-outcome.js';

describe('outcomeOf', () => {
  it.each([
    [200, undefined, 'done'],
    [201, undefined, 'done'],
    [409, 'version_conflict_engine_exception', 'done'],
    [404, undefined, 'done'],
    [404, 'index_not_found_exception', 'gone'],
    [429, 'rejected_execution_exception', 'wait'],
    [429, 'cluster_block_exception', 'wait'],
    [403, 'cluster_block_exception', 'wait'],
    [403, 'security_exception', 'wait'],
    [401, 'security_exception', 'wait'],
    [503, 'unavailable_shards_exception', 'wait'],
    [503, undefined, 'wait'],
    [504, 'process_cluster_event_timeout_exception', 'wait'],
    [400, 'index_closed_exception', 'wait'],
    [400, 'mapper_parsing_exception', 'rejected'],
    [400, 'strict_dynamic_mapping_exception', 'rejected'],
    [413, 'content_too_long_exception', 'rejected'],
    [500, 'translog_exception', 'wait'],
    [500, 'i_o_exception', 'wait'],
    [500, 'node_closed_exception', 'wait'],
    [500, undefined, 'wait'],
    [507, 'unheard_of_exception', 'wait'],
  ])('takes %d %s for %s', (status, type, outcome) => {
    expect(outcomeOf({ status, ...(type !== undefined && { error: { type } }) })).toBe(outcome);
  });
});

describe('bulkAnswer', () => {
  it('reads the items of both kinds of operation', () => {
    const items = [
      { index: { _id: 'a', status: 201, result: 'created' } },
      { delete: { _id: 'b', status: 404, result: 'not_found' } },
      { index: { _id: 'c', status: 400, error: { type: 'x', reason: 'y' } } },
    ];
    expect(bulkItems(bulkAnswer.parse({ took: 1, errors: true, items }).items)).toEqual([
      { status: 201 },
      { status: 404 },
      { status: 400, error: { type: 'x' } },
    ]);
  });
});
