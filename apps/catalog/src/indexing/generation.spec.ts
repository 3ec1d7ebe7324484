import { aliasOf, generationNumber, generationOf, indexName } from './generation.js';
import { mappingHash } from './revision.js';

const uuids = { POOL: 'a', PROJECT: 'b' };

describe('a generation', () => {
  it('is named after the hash of the mapping and its number', () => {
    expect(indexName('eu-', 'POOL', 3)).toBe(`eu-pools-${mappingHash()}-3`);
    expect(indexName('', 'PROJECT', 1)).toBe(`projects-${mappingHash()}-1`);
    expect(aliasOf('eu-', 'PROJECT')).toBe('eu-projects');
  });

  it.each([
    ['eu-', `eu-pools-${mappingHash()}-12`, 12],
    ['eu-', `pools-${mappingHash()}-12`, undefined],
    ['', `pools-${mappingHash()}-0`, undefined],
    ['', `pools-${mappingHash()}-1x`, undefined],
    ['', `pools-00000000-1`, undefined],
    ['', `projects-${mappingHash()}-1`, undefined],
  ])('with prefix %j knows the number of %s', (prefix, name, number) => {
    expect(generationNumber(prefix, name)).toBe(number);
  });

  it('has the same consumer group in every instance', () => {
    expect(generationOf('', 1, uuids)).toEqual(generationOf('', 1, { ...uuids }));
    expect(generationOf('eu-', 2, uuids).group).toMatch(/^catalog\.eu-[0-9a-f]{8}-2\.[0-9a-f]{8}$/);
  });

  it('has another group when one of its indices was made anew', () => {
    const { group } = generationOf('', 1, uuids);
    expect(generationOf('', 1, { ...uuids, PROJECT: 'c' }).group).not.toBe(group);
    expect(generationOf('', 1, { ...uuids, POOL: 'c' }).group).not.toBe(group);
  });
});
