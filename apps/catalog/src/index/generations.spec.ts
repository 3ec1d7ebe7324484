import { aliasOf, generationKey, generationOf, indexKey, indexName } from './generation.js';
import { indexBody } from './index-body.js';
import { indexList, libraryState, retirementAlias, retirementsOf } from './library-state.js';
import { MAPPING_REVISION, mappingHash } from './mapping.js';

describe('a generation', () => {
  const uuids = { POOL: 'a', PROJECT: 'b' };
  const key = { hash: '1a2b3c4d', number: 2 };

  it('is named after the hash of the mapping and its number', () => {
    expect(indexName('eu-', 'POOL', key)).toBe('eu-pools-1a2b3c4d-2');
    expect(aliasOf('eu-', 'PROJECT')).toBe('eu-projects');
    const indices = { POOL: 'eu-pools-1a2b3c4d-2', PROJECT: 'eu-projects-1a2b3c4d-2' };
    expect(generationOf('eu-', key, uuids)).toMatchObject({ name: '1a2b3c4d-2', indices });
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

  it('has the same consumer group in every instance, and another when one of its indices was made anew', () => {
    const { group } = generationOf('eu-', key, uuids);
    expect(group).toMatch(/^catalog\.eu-1a2b3c4d-2\.[0-9a-f]{8}$/);
    expect(generationOf('eu-', key, { ...uuids }).group).toBe(group);
    for (const made of [{ PROJECT: 'c' }, { POOL: 'c' }]) {
      expect(generationOf('eu-', key, { ...uuids, ...made }).group).not.toBe(group);
    }
  });

  it('keeps its retirement in an alias, read by who has the same prefix', () => {
    const retirement = { turn: 3, at: new Date('2026-01-01T00:00:00.123Z') };
    const alias = retirementAlias('eu-', retirement);
    expect(alias).toBe('eu-retired-3-1767225600123');
    expect(['eu-', '', 'us-'].map((prefix) => retirementsOf(prefix, [alias]))).toEqual([[retirement], [], []]);
    const others = ['pools', 'retired', 'retired-3', 'retired-3-', 'retired-x-1', 'retired-3-1-old', 'was-retired-3-1'];
    expect(retirementsOf('', others)).toEqual([]);
  });
});

describe('the state of the library', () => {
  const index = (more: object = {}) => ({ settings: { index: { uuid: 'u', creation_date: '1000' } }, ...more });
  const read = (prefix: string, found: object) => libraryState(prefix, indexList.parse(found));

  it('puts the indices of one generation together', () => {
    const { generations } = read('eu-', {
      'eu-pools-aaaaaaaa-1': index({ aliases: { 'eu-pools': {} }, mappings: { _meta: { revision: 3, turn: 9 } } }),
      'eu-projects-aaaaaaaa-1': index({ aliases: { mine: {}, 'eu-retired-9-1000': {} } }),
      'eu-projects-aaaaaaaa-2': index(),
    });
    const made = { createdAt: new Date(1000) };
    const retirements = [{ turn: 9, at: new Date(1000) }];
    expect(generations).toMatchObject([
      {
        ...made,
        name: 'aaaaaaaa-1',
        has: ['POOL', 'PROJECT'],
        liveFor: ['POOL'],
        meta: { revision: 3, turn: 9 },
        retirements,
      },
      // Without a note it is of the lowest revision.
      { ...made, name: 'aaaaaaaa-2', has: ['PROJECT'], liveFor: [], meta: { revision: 0 }, retirements: [] },
    ]);
  });

  it('knows of indices that are none of it and have its alias', () => {
    const state = read('', { 'by-hand': index({ aliases: { pools: {} } }), 'pools-other': index() });
    expect(state).toEqual({ generations: [], strangers: { POOL: ['by-hand'], PROJECT: [] } });
  });
});

describe('the mapping', () => {
  /** The hash of every revision there has been. A changed mapping needs a new line, and MAPPING_REVISION raised to it. */
  const HASHES: Readonly<Record<number, string>> = { 1: '324426a4', 2: '7e595b87', 3: '7b715a7d', 4: '363a9e21' };

  it('has a revision that was raised with its last change', () => {
    expect(HASHES[MAPPING_REVISION]).toBe(mappingHash());
    expect(Math.max(...Object.keys(HASHES).map(Number))).toBe(MAPPING_REVISION);
  });

  it('refuses fields that it does not know, remembers deletions for an hour and shows changes after a second', () => {
    expect(indexBody('POOL')).toMatchObject({
      mappings: { dynamic: 'strict', _meta: { revision: MAPPING_REVISION } },
      settings: { gc_deletes: '3600000ms', refresh_interval: '1s' },
    });
  });
});
