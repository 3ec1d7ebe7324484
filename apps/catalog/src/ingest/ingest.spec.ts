import type { Asset } from '@carbon/contracts';
import type { Message } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { OpenSearchUnavailableError } from '../open-search/open-search-errors.js';
import { asset } from '../testing/library.js';
import { assetDocument, type Operation, operationOf } from './asset-operation.js';
import { outcomeOf } from './bulk-writer.js';
import { StallGuard } from './stall-guard.js';

describe('the document of an asset', () => {
  it('composes accents, also inside lists, and normalizes negative zero', () => {
    const document = assetDocument(asset('proj_a', { name: 'Sa\u0303o', categories: ['e\u0301cole'], rating: -0 }));
    expect(document).toMatchObject({ name: 'S\u00e3o', categories: ['\u00e9cole'] });
    expect(Object.is(document.rating, 0)).toBe(true);
  });
});

describe('the operation of a message', () => {
  const indices = { POOL: 'pools-x-1', PROJECT: 'projects-x-1' };
  const now = '2026-11-21T08:00:00.000Z';
  const received = (key: string, value: Asset | null, position = 41n) => ({ key, value, position }) as Message<Asset>;
  const made = (message: Message<Asset>) => operationOf(message, indices, now);
  const linesOf = (message: Message<Asset>) => (made(message) as Operation).lines.split('\n');

  it('writes an asset with the version position + 1, one document a line', () => {
    const [action = '', document = '', ...rest] = linesOf(received('proj_a', asset('proj_a', { country: 'a\nb' })));
    expect(JSON.parse(action)).toEqual({
      index: { _index: 'projects-x-1', _id: 'proj_a', version: 42, version_type: 'external' },
    });
    const expected = { id: 'proj_a', source: 'TOUCAN', name: 'proj_a', country: 'a\nb', indexedAt: now };
    expect(JSON.parse(document)).toEqual(expected);
    expect(rest).toEqual(['']);
  });

  it.each([
    ['unknown_id', received('fund_a', null)],
    ['unknown_id', received('', null)],
  ])('is rejected with %s if it cannot be indexed', (code, message) => {
    expect(made(message)).toMatchObject({ position: 41n, code });
  });
});

describe('the outcome of an operation', () => {
  it.each([
    [200, undefined, 'done'],
    [201, undefined, 'done'],
    [409, 'version_conflict_engine_exception', 'done'],
    [404, undefined, 'done'],
    [404, 'index_not_found_exception', 'noIndex'],
    [429, 'rejected_execution_exception', 'retry'],
    [429, 'cluster_block_exception', 'retry'],
    [403, 'cluster_block_exception', 'retry'],
    [403, 'security_exception', 'retry'],
    [401, 'security_exception', 'retry'],
    [503, 'unavailable_shards_exception', 'retry'],
    [503, undefined, 'retry'],
    [504, 'process_cluster_event_timeout_exception', 'retry'],
    [400, 'index_closed_exception', 'retry'],
    [400, 'mapper_parsing_exception', 'rejected'],
    [400, 'strict_dynamic_mapping_exception', 'rejected'],
    [413, 'content_too_long_exception', 'rejected'],
    [500, 'translog_exception', 'retry'],
    [500, 'i_o_exception', 'retry'],
    [500, 'node_closed_exception', 'retry'],
    [500, undefined, 'retry'],
    [507, 'unheard_of_exception', 'retry'],
  ])('of %d %s is %s', (status, type, outcome) => {
    expect(outcomeOf({ status, ...(type !== undefined && { error: { type } }) })).toBe(outcome);
  });
});

describe('StallGuard', () => {
  const SECOND = 1_000;
  const MINUTE = 60 * SECOND;
  let time: number;
  let stalls: Error[];
  let guard: StallGuard;
  const write = () => guard.check();

  beforeEach(() => {
    time = 1_000_000;
    stalls = [];
    guard = new StallGuard(
      (error) => stalls.push(error),
      () => time,
    );
  });

  it('allows the writes of a process that was not suspended, for hours', () => {
    for (let look = 0; look < 3_600; look += 1) {
      time += 5 * SECOND;
      expect(write).not.toThrow();
    }
    expect(stalls).toEqual([]);
  });

  it('delays writes after every pause until the group would have removed a silent member, then allows them again', () => {
    for (let pause = 0; pause < 3; pause += 1) {
      time += 10 * SECOND;
      expect(write).toThrow(OpenSearchUnavailableError);
      time += 2 * SECOND;
      expect(write).toThrow(OpenSearchUnavailableError);
      time += SECOND;
      expect(write).not.toThrow();
    }
    expect(stalls).toEqual([]);
  });

  it('remembers a pause that it detected before the first write', async () => {
    guard.onApplicationBootstrap(1);
    try {
      time += 60 * MINUTE;
      await eventually(() => expect(stalls).toHaveLength(1));
      expect(write).toThrow(OpenSearchUnavailableError);
    } finally {
      guard.onApplicationShutdown();
    }
  });

  it('delays nothing because the clock was set back', () => {
    time += 10 * SECOND;
    expect(write).toThrow(OpenSearchUnavailableError);
    time -= 60 * MINUTE;
    expect(write).not.toThrow();
  });

  it('ends a process that was suspended for as long as OpenSearch keeps deletions', () => {
    time += 60 * MINUTE;
    expect(write).toThrow(OpenSearchUnavailableError);
    expect(stalls).toEqual([new Error('The process was suspended for 3600000 ms.')]);
  });
});
