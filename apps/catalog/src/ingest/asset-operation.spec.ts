import type { Asset } from '@carbon/contracts';
import type { Received } from '@carbon/messaging';
import { asset } from '../test-asset.js';
import { guardLines, type Operation, operationOf } from './asset-operation.js';

const indices = { POOL: 'pools-x-1', PROJECT: 'projects-x-1' };
const now = '2026-11-21T08:00:00.000Z';
const received = (key: string, value: Asset | null, position = 41n) => ({ key, value, position }) as Received<Asset>;
const linesOf = (message: Received<Asset>) => {
  const operation = operationOf(message, indices, now);
  if (!('lines' in operation)) throw new Error(operation.code);
  return operation.lines.split('\n');
};

describe('operationOf', () => {
  it('writes an asset with the version position + 1', () => {
    const [action = '', document = '', ...rest] = linesOf(received('proj_a', asset('proj_a', { country: 'Peru' })));
    expect(JSON.parse(action)).toEqual({
      index: { _index: 'projects-x-1', _id: 'proj_a', version: 42, version_type: 'external' },
    });
    expect(JSON.parse(document)).toEqual({
      id: 'proj_a',
      source: 'TOUCAN',
      name: 'proj_a',
      country: 'Peru',
      indexedAt: '2026-11-21T08:00:00.000Z',
    });
    expect(rest).toEqual(['']);
  });

  it('deletes a withdrawn asset, with a version as well', () => {
    const [action = '', ...rest] = linesOf(received('pool_a', null, 0n));
    expect(JSON.parse(action)).toEqual({
      delete: { _index: 'pools-x-1', _id: 'pool_a', version: 1, version_type: 'external' },
    });
    expect(rest).toEqual(['']);
  });

  it('guards each name that is deleted from once, and nothing else', () => {
    const operations = [received('pool_a', null), received('pool_b', null), received('proj_a', asset('proj_a'))].map(
      (message) => operationOf(message, indices, now) as Operation,
    );
    expect(guardLines(operations).split('\n')).toEqual([
      '{"update":{"_index":"pools-x-1","_id":"none","require_alias":true}}',
      '{"doc":{}}',
      '',
    ]);
    expect(guardLines(operations.slice(2))).toBe('');
  });

  it.each([
    ['unknown_id', received('fund_a', null)],
    ['unknown_id', received('', null)],
    ['key_mismatch', received('pool_b', asset('pool_a'))],
  ])('rejects with %s what cannot be filed', (code, message) => {
    expect(operationOf(message, indices, now)).toMatchObject({ position: 41n, code });
  });

  it('keeps a line break in a text from ending the line', () => {
    expect(linesOf(received('pool_a', asset('pool_a', { name: 'a\nb' })))).toHaveLength(3);
  });
});
