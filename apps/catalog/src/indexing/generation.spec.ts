import { aliasOf, generationKey, generationOf, indexKey, indexName } from './generation.js';

const uuids = { POOL: 'a', PROJECT: 'b' };
const key = { hash: '1a2b3c4d', number: 2 };

describe('a generation', () => {
  it('is named after the hash of the mapping and its number', () => {
    expect(indexName('eu-', 'POOL', key)).toBe('eu-pools-1a2b3c4d-2');
    expect(indexName('', 'PROJECT', key)).toBe('projects-1a2b3c4d-2');
    expect(aliasOf('eu-', 'PROJECT')).toBe('eu-projects');
    expect(generationOf('eu-', key, uuids)).toMatchObject({
      name: '1a2b3c4d-2',
      indices: { POOL: 'eu-pools-1a2b3c4d-2' },
    });
  });

  it.each([
    ['eu-', 'eu-pools-1a2b3c4d-12', { hash: '1a2b3c4d', number: 12, type: 'POOL' }],
    ['', 'projects-1a2b3c4d-1', { hash: '1a2b3c4d', number: 1, type: 'PROJECT' }],
    ['eu-', 'pools-1a2b3c4d-12', undefined],
    ['', 'pools-1a2b3c4d-0', undefined],
    ['', 'pools-1a2b3c4d-1x', undefined],
    ['', 'pools-1a2b3c4-1', undefined],
    ['', 'eu-pools-1a2b3c4d-1', undefined],
    ['', 'pools', undefined],
  ])('with prefix %j knows what %s belongs to', (prefix, index, expected) => {
    expect(indexKey(prefix, index)).toEqual(expected);
  });

  it.each(['1a2b3c4d', '1a2b3c4d-', '1A2B3C4D-1', '1a2b3c4d-01', ''])('is not called %j', (name) => {
    expect(generationKey(name)).toBeUndefined();
  });

  it('has the same consumer group in every instance', () => {
    expect(generationOf('', key, uuids)).toEqual(generationOf('', key, { ...uuids }));
    expect(generationOf('eu-', key, uuids).group).toMatch(/^catalog\.eu-1a2b3c4d-2\.[0-9a-f]{8}$/);
  });

  it('has another group when one of its indices was made anew', () => {
    const { group } = generationOf('', key, uuids);
    expect(generationOf('', key, { ...uuids, PROJECT: 'c' }).group).not.toBe(group);
    expect(generationOf('', key, { ...uuids, POOL: 'c' }).group).not.toBe(group);
  });
});
