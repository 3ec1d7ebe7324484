import type { Asset } from '@carbon/contracts';
import { asset } from '../test-asset.js';
import { catalogWith } from '../test-catalog-with.js';

const project = (id: string, more: Partial<Asset>) => asset(`proj_${id}`, { source: 'VERRA', name: id, ...more });

const LIBRARY: readonly Asset[] = [
  // One word in each tier, named so that the alphabet says the opposite.
  project('z', { name: 'Z', ticker: 'MANGROVE' }),
  project('y', { name: 'Y mangrove' }),
  project('x', { name: 'X', description: 'A mangrove by the sea' }),
  project('w', { name: 'W', description: 'Mangroves by the sea' }),
  project('v', { name: 'V', description: 'Mangrave by the sea' }),
  project('u', { name: 'U', description: 'Nothing of the kind' }),
  // Two words, here together and there apart.
  project('peat', { name: 'Peatland restoration', description: 'Wet' }),
  project('peat2', { name: 'Peatland', description: 'Restoration of bogs' }),
  project('peat3', { name: 'Moor', description: 'Restoring peatlands' }),
  project('wind1', { name: 'One', description: 'Wind farms on hills' }),
  project('wind2', { name: 'Two', description: 'Farms in the wind' }),
  project('wind3', { name: 'Three', description: 'Wind', region: 'Farms' }),
  project('wind4', { name: 'Four', categories: ['Wind', 'Farms'] }),
  project('woods', { name: 'Woods', description: 'Forests' }),
  // One of each field.
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
  project('spaced', { name: 'Spaced', ticker: 'BASE C', description: 'base c' }),
];

describe('full text', () => {
  const { catalog } = catalogWith(...LIBRARY);

  const find = async (fullTextSearch: string, criteria = '') =>
    (await catalog.search('projects', { fullTextSearch, criteria, limit: 100 })).map(({ name }) => name);

  it('ranks in tiers: ticker, name, elsewhere, inflections, typos', async () => {
    expect(await find('mangrove')).toEqual(['Z', 'Y mangrove', 'X', 'W', 'V']);
  });

  it('puts a document in the best tier in which all its words are found', async () => {
    expect(await find('peatland restoration')).toEqual(['Peatland restoration', 'Peatland', 'Moor']);
    expect(await find('peatland restoraton')).toEqual(['Peatland', 'Peatland restoration']);
  });

  it('ranks the same whatever else the criteria leave', async () => {
    expect(await find('mangrove', 'not ticker exists')).toEqual(['Y mangrove', 'X', 'W', 'V']);
  });

  it('finds nothing unless every word is found', async () => {
    expect(await find('peatland Zanzibar')).toEqual([]);
  });

  it.each([
    ['ivoire', 'Place'],
    ['cote d’ivoire', 'Place'],
    ["COTE D'IVOIRE", 'Place'],
    ['puro', 'Place'],
    ['Puro.earth', 'Place'],
    ['gold standard', 'Place'],
    ['west africa', 'Place'],
    ['co-benefit', 'Kind'],
    ['benefits', 'Kind'],
    ['biochar', 'Kind'],
    ['base c', 'Spaced'],
    ['vcs1529', 'Kind'],
  ])('finds %s in whatever field it stands', async (text, name) => {
    expect(await find(text)).toEqual([name]);
  });

  it.each([
    ['forest', 'Woods'],
    ['forested', 'Woods'],
    ['farm wind', 'One'],
    ['restored', 'Moor'],
    ['restores', 'Moor'],
    ['peatland’s', 'Moor'],
    ["MOORS'", 'Moor'],
  ])('forgives the inflection in %s', async (text, name) => {
    expect(await find(text)).toContain(name);
  });

  it.each(['biocahr', 'bioochar', 'biocha', 'biochaar', 'iochar', 'Bjochar'])(
    'forgives the slip in %s',
    async (word) => {
      expect(await find(word)).toEqual(['Kind']);
    },
  );

  it('forgives two slips from eight letters on, and one below', async () => {
    expect(await find('restrotaion')).toContain('Peatland restoration');
    expect(await find('bjocahr')).toEqual([]);
  });

  it.each(['vcs1528', 'mnd', 'zx'])('takes %s at its word', async (word) => {
    expect(await find(word)).toEqual([]);
  });

  it('finds a quoted phrase word for word, within one field and one value', async () => {
    expect(await find('wind farms')).toHaveLength(4);
    expect(await find('"wind farms"')).toEqual(['One']);
    expect(await find('"wind farm"')).toEqual([]);
    expect(await find('“Wind FARMS” hill')).toEqual(['One']);
    expect(await find('"wnid farms"')).toEqual([]);
  });

  it('ignores a quote without its twin, and signs that stand alone', async () => {
    expect(await find('"wind farms')).toHaveLength(4);
    expect(await find('wind - farms !!!')).toHaveLength(4);
    expect(await find('"wind farms" "')).toEqual(['One']);
  });

  it('finds nothing without a searchable word, and everything with white space', async () => {
    expect(await find('!!! "" --')).toEqual([]);
    expect((await find(' \t\u00a0')).length).toBeGreaterThanOrEqual(LIBRARY.length);
  });

  it.each(['-mangrove', '+mangrove', 'mangrove*', '(mangrove)', 'mangrove~2', 'mangrove^9'])(
    'has no operators: %s is the word',
    async (text) => {
      expect((await find(text)).slice(0, 1)).toEqual(text.includes('2') || text.includes('9') ? [] : ['Z']);
    },
  );

  it('takes AND, OR and NOT for words', async () => {
    expect(await find('mangrove OR Zanzibar')).toEqual([]);
    expect(await find('NOT mangrove')).toEqual([]);
  });
});
