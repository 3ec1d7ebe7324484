import type { Asset } from '@carbon/contracts';
import { asset } from '../testing/library.js';
import { catalogWith } from '../testing/set-up.js';

const project = (id: string, more: Partial<Asset>) => asset(`proj_${id}`, { source: 'VERRA', name: id, ...more });

const LIBRARY: readonly Asset[] = [
  // One word in each tier, named so that the alphabetical order is the reverse.
  project('z', { name: 'Z', ticker: 'MANGROVE' }),
  project('y', { name: 'Y mangrove' }),
  project('x', { name: 'X', description: 'A mangrove by the sea' }),
  project('w', { name: 'W', description: 'Mangroves by the sea' }),
  project('v', { name: 'V', description: 'Mangrave by the sea' }),
  project('u', { name: 'U', description: 'Nothing of the kind' }),
  // Two words that are adjacent in one asset and separate in another.
  project('peat', { name: 'Peatland restoration', description: 'Wet' }),
  project('peat2', { name: 'Peatland', description: 'Restoration of bogs' }),
  project('peat3', { name: 'Moor', description: 'Restoring peatlands' }),
  project('wind1', { name: 'One', description: 'Wind farms on hills' }),
  project('wind2', { name: 'Two', description: 'Farms in the wind' }),
  project('wind3', { name: 'Three', description: 'Wind', region: 'Farms' }),
  project('wind4', { name: 'Four', categories: ['Wind', 'Farms'] }),
  project('woods', { name: 'Woods', description: 'Forests' }),
  // One asset for each field.
  project('place', {
    name: 'Place',
    country: 'Côte d’Ivoire',
    region: 'West Africa',
    registry: 'Puro.earth',
    source: 'GOLD_STANDARD',
  }),
  project('kind', {
    name: 'Kind',
    categories: ['Co-benefits', 'Biochar'],
    registryId: 'VCS1529',
    description: 'No. VCS1529',
  }),
  project('id', { name: 'Id', registryId: 'GLD-77' }),
  // Project types by their general, other and misspelt names.
  project('a', { name: 'Afforestation of hills' }),
  project('b', { name: 'Better', categories: ['improved forest management'] }),
  project('c', { name: 'Clean', description: 'Cookstoves for all' }),
  project('d', { name: 'Deforestation' }),
  project('spaced', { name: 'Spaced', ticker: 'BASE C', description: 'base c' }),
];

const MANGROVE = ['Z', 'Y mangrove', 'X', 'W', 'V'];
const PEATLAND = ['Peatland restoration', 'Peatland', 'Moor'];
const FARMS = ['Four', 'One', 'Three', 'Two'];

describe('full text', () => {
  const { catalog } = catalogWith(...LIBRARY);

  const find = async (fullTextSearch: string, criteria = '') =>
    (await catalog.search('projects', { fullTextSearch, criteria, limit: 100 })).map(({ name }) => name);

  it.each<[string, Readonly<Record<string, readonly string[]>>]>([
    ['ranks in tiers: ticker, name, elsewhere, inflections, typos', { mangrove: MANGROVE }],
    [
      'puts a document in the best tier in which all its words are found',
      { 'peatland restoration': PEATLAND, 'peatland restoraton': ['Peatland', 'Peatland restoration'] },
    ],
    ['finds nothing unless every word is found', { 'peatland Zanzibar': [] }],
    [
      'finds a word in whatever field it stands',
      {
        ivoire: ['Place'],
        'cote d’ivoire': ['Place'],
        "COTE D'IVOIRE": ['Place'],
        puro: ['Place'],
        'Puro.earth': ['Place'],
        'gold standard': ['Place'],
        'west africa': ['Place'],
        'co-benefit': ['Kind'],
        benefits: ['Kind'],
        biochar: ['Kind'],
        'base c': ['Spaced'],
        vcs1529: ['Kind'],
      },
    ],
    [
      'forgives a slip in a long word, and none in short ones and in names of things',
      {
        biocahr: ['Kind'],
        bioochar: ['Kind'],
        biocha: ['Kind'],
        biochaar: ['Kind'],
        iochar: ['Kind'],
        Bjochar: ['Kind'],
        bjocahr: [],
        vcs1528: [],
        mnd: [],
        zx: [],
      },
    ],
    [
      'finds a quoted phrase word for word, within one field and one value',
      { '"wind farms"': ['One'], '"wind farm"': [], '“Wind FARMS” hill': ['One'], '"wnid farms"': [] },
    ],
    ['finds an id of the registry that no other field has', { 'GLD-77': ['Id'], gld77: ['Id'] }],
    [
      'finds the sorts of a project type by its general name, after its own words, and not the other way round',
      {
        forest: ['Better', 'Woods', 'Afforestation of hills', 'Deforestation'],
        forrest: ['Afforestation of hills', 'Better', 'Deforestation', 'Woods'],
        afforestation: ['Afforestation of hills'],
        deforestation: ['Deforestation'],
        'forest hill': ['Afforestation of hills'],
      },
    ],
    [
      'finds a project type by its other names, in words of its own',
      {
        ifm: ['Better'],
        'cook-stove': ['Clean'],
        'cooking stoves': ['Clean'],
        stove: ['Clean'],
        '"cook stove"': [],
        '"forest"': ['Better'],
      },
    ],
    ['ignores a quote without its twin', { '"wind farms" "': ['One'] }],
    ['finds nothing without a searchable word', { '!!! "" --': [] }],
    [
      'takes operators for words',
      { 'mangrove OR Zanzibar': [], 'NOT mangrove': [], 'mangrove~2': [], 'mangrove^9': [] },
    ],
  ])('%s', async (_, expected) => {
    const found: Record<string, readonly unknown[]> = {};
    for (const text of Object.keys(expected)) found[text] = await find(text);
    expect(found).toEqual(expected);
  });

  it('ranks the same whatever the criteria exclude', async () => {
    expect(await find('mangrove', 'not ticker exists')).toEqual(MANGROVE.slice(1));
  });

  it('matches inflections, possessives, and up to two typos from eight letters on', async () => {
    for (const [text, name] of [
      ['forest', 'Woods'],
      ['forested', 'Woods'],
      ['farm wind', 'One'],
      ['restored', 'Moor'],
      ['restores', 'Moor'],
      ['peatland’s', 'Moor'],
      ["MOORS'", 'Moor'],
      ['restrotaion', 'Peatland restoration'],
    ] as const) {
      expect([text, await find(text)]).toEqual([text, expect.arrayContaining([name])]);
    }
  });

  it('has no operators, and ignores single punctuation marks and an unmatched quote', async () => {
    for (const text of ['-mangrove', '+mangrove', 'mangrove*', '(mangrove)']) {
      expect([text, (await find(text))[0]]).toEqual([text, 'Z']);
    }
    for (const text of ['wind farms', '"wind farms', 'wind - farms !!!']) {
      expect([text, (await find(text)).sort()]).toEqual([text, FARMS]);
    }
  });

  it('finds everything with white space', async () => {
    expect(await find(' \t\u00a0')).toHaveLength(LIBRARY.length);
  });
});
