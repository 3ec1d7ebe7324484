import { aliasOf, generationKey, generationOf, indexKey, indexName } from './generation.js';
import { indexBody } from './index-body.js';
import { indexList, libraryState } from './library-state.js';
import { MAPPING_HASHES, MAPPING_REVISION, mappingHash } from './mapping.js';
import { withoutDeletedGenerations } from './precedence.js';
import { adoptLegacyIndices, type GenerationRecord, legacyMetaOf } from './state-document.js';

const NEW_YEAR = '2026-01-01T00:00:00.000Z';

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
  ])('with prefix %j recognizes what %s belongs to', (prefix, index, expected) => {
    expect(indexKey(prefix, index)).toEqual(expected);
  });

  it.each(['1a2b3c4d', '1a2b3c4d-', '1A2B3C4D-1', '1a2b3c4d-01', ''])('does not accept the name %j', (name) => {
    expect(generationKey(name)).toBeUndefined();
  });

  it('has the same consumer group in every instance, and another one when one of its indices was re-created', () => {
    const { group } = generationOf('eu-', key, uuids);
    expect(group).toMatch(/^catalog\.eu-1a2b3c4d-2\.[0-9a-f]{8}$/);
    expect(generationOf('eu-', key, { ...uuids }).group).toBe(group);
    for (const made of [{ PROJECT: 'c' }, { POOL: 'c' }]) {
      expect(generationOf('eu-', key, { ...uuids, ...made }).group).not.toBe(group);
    }
  });
});

describe('the state of the library', () => {
  const index = (more: object = {}) => ({ settings: { index: { uuid: 'u', creation_date: '1000' } }, ...more });
  const record = (name: string, more: object = {}) => ({ name, revision: 1, precedence: 1, ...more });
  const read = (prefix: string, generations: readonly GenerationRecord[], found: object) =>
    libraryState(prefix, { lastNumber: 9, generations: [...generations] }, undefined, indexList.parse(found));

  it('combines the state document of a generation with its indices and aliases', () => {
    const { generations, removing } = read(
      'eu-',
      [record('aaaaaaaa-1', { revision: 3 }), record('aaaaaaaa-2'), record('aaaaaaaa-3', { isRemoving: true })],
      {
        'eu-pools-aaaaaaaa-1': index({ aliases: { 'eu-pools': {} } }),
        'eu-projects-aaaaaaaa-1': index({ aliases: { mine: {} } }),
        'eu-projects-aaaaaaaa-2': index(),
      },
    );
    const createdAt = new Date(1000);
    expect(generations).toMatchObject([
      { name: 'aaaaaaaa-1', revision: 3, createdAt, existingTypes: ['POOL', 'PROJECT'], liveFor: ['POOL'] },
      { name: 'aaaaaaaa-2', createdAt, existingTypes: ['PROJECT'], liveFor: [] },
    ]);
    expect(removing).toMatchObject([{ name: 'aaaaaaaa-3', createdAt: undefined, existingTypes: [] }]);
  });

  it('contains indices with its alias that belong to no generation', () => {
    const state = read('', [], { 'by-hand': index({ aliases: { pools: {} } }), 'pools-other': index() });
    expect(state).toMatchObject({ generations: [], foreignIndices: { POOL: ['by-hand'], PROJECT: [] } });
  });

  it('forgets generations that were removed, or superseded and deleted by an operator', () => {
    const kept = [
      record('aaaaaaaa-1', { supersededAt: NEW_YEAR }),
      record('aaaaaaaa-2'),
      record('aaaaaaaa-4', { isRemoving: true }),
    ];
    const gone = [record('aaaaaaaa-3', { isRemoving: true }), record('aaaaaaaa-5', { supersededAt: NEW_YEAR })];
    const indices = { 'pools-aaaaaaaa-1': index(), 'projects-aaaaaaaa-4': index() };
    expect(withoutDeletedGenerations(read('', [...kept, ...gone], indices))).toEqual({
      lastNumber: 9,
      generations: kept,
    });
    expect(withoutDeletedGenerations(read('', kept, indices))).toBeUndefined();
  });
});

describe('the state of the previous release', () => {
  const EMPTY = { lastNumber: 0, generations: [] };
  const topic = { cluster: 'one', topicId: 'first', ends: ['5'] };

  it('is adopted: its generations with their order, the revisions they replaced, and their topic', () => {
    const metas = {
      'eu-pools-aaaaaaaa-1': { revision: 3, turn: 4, over: 5, topic },
      'eu-projects-aaaaaaaa-1': { revision: 3, turn: 4, over: 5, topic },
      // Without `_meta` it has the lowest revision.
      'eu-projects-bbbbbbbb-2': undefined,
      'eu-pools': { revision: 1_000 },
    };
    expect(adoptLegacyIndices('eu-', EMPTY, metas)).toEqual({
      lastNumber: 4,
      generations: [
        { name: 'aaaaaaaa-1', revision: 3, precedence: 4, overRevision: 5, topic },
        { name: 'bbbbbbbb-2', revision: 0, precedence: 2, topic: undefined },
      ],
    });
  });

  it('changes a known generation only if an operator has chosen it since', () => {
    const known = { name: 'aaaaaaaa-1', revision: 3, precedence: 4, topic, supersededAt: NEW_YEAR };
    const document = { lastNumber: 6, generations: [known] };
    expect(adoptLegacyIndices('', document, { 'pools-aaaaaaaa-1': legacyMetaOf(known) })).toBeUndefined();
    expect(adoptLegacyIndices('', document, { 'pools-aaaaaaaa-1': { revision: 3 } })).toBeUndefined();
    expect(adoptLegacyIndices('', document, { 'pools-aaaaaaaa-1': { revision: 3, turn: 7 } })).toEqual({
      lastNumber: 7,
      generations: [{ name: 'aaaaaaaa-1', revision: 3, precedence: 7, topic }],
    });
  });
});

describe('the mapping', () => {
  it('has its hash at the end of MAPPING_HASHES', () => {
    expect(MAPPING_HASHES.at(-1)).toBe(mappingHash());
    expect(new Set(MAPPING_HASHES).size).toBe(MAPPING_HASHES.length);
  });

  it('rejects unknown fields, keeps deletions for an hour and refreshes every second', () => {
    expect(indexBody('POOL')).toMatchObject({
      mappings: { dynamic: 'strict', _meta: { revision: MAPPING_REVISION } },
      settings: { gc_deletes: '3600000ms', refresh_interval: '1s' },
    });
  });
});
