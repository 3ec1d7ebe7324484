import { indexList, libraryState } from './library-state.js';

const index = (more: object = {}) => ({ settings: { index: { uuid: 'u', creation_date: '1000' } }, ...more });
const read = (prefix: string, found: object) => libraryState(prefix, indexList.parse(found));

describe('the state of the library', () => {
  it('puts the indices of one generation together', () => {
    const { generations } = read('eu-', {
      'eu-pools-aaaaaaaa-1': index({ aliases: { 'eu-pools': {} }, mappings: { _meta: { revision: 3, turn: 9 } } }),
      'eu-projects-aaaaaaaa-1': index({ aliases: { mine: {}, 'eu-retired-9-1000': {} } }),
      'eu-projects-aaaaaaaa-2': index({ mappings: { _meta: { revision: 3 } } }),
    });
    expect(generations).toMatchObject([
      { name: 'aaaaaaaa-1', has: ['POOL', 'PROJECT'], liveFor: ['POOL'], meta: { revision: 3, turn: 9 } },
      { name: 'aaaaaaaa-2', has: ['PROJECT'], liveFor: [], meta: { revision: 3 } },
    ]);
    expect(generations.map(({ retirements }) => retirements)).toEqual([[{ turn: 9, at: new Date(1000) }], []]);
    expect(generations[0]?.createdAt).toEqual(new Date(1000));
  });

  it('takes an index without a note for the lowest revision', () => {
    expect(read('', { 'pools-aaaaaaaa-1': index() }).generations).toMatchObject([{ meta: { revision: 0 } }]);
  });

  it('knows of indices that are none of it and have its alias', () => {
    const state = read('', { 'by-hand': index({ aliases: { pools: {} } }), 'pools-other': index() });
    expect(state).toEqual({ generations: [], strangers: { POOL: ['by-hand'], PROJECT: [] } });
  });
});
