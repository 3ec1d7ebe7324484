import { readFileSync } from 'node:fs';
import { type Asset, assetSchema } from '@carbon/contracts';
import { buildLibrary, renderLibrary } from './library.js';

const file = readFileSync(new URL('../assets.ndjson', import.meta.url), 'utf8');
const lines = file.split('\n').slice(0, -1);
const assets = lines.map((line) => assetSchema.strict().parse(JSON.parse(line)));
const find = (id: string): Asset | undefined => assets.find((asset) => asset.id === id);
const group = (belongs: (asset: Asset) => boolean): Asset[] => assets.filter(belongs);

describe('the committed library', () => {
  it('is what the sources yield today, byte for byte', () => {
    expect(renderLibrary(buildLibrary()) === file).toBe(true);
  });

  it('holds 7 pools, 231 tokenised projects and 58 removal proposals', () => {
    expect(group(({ type }) => type === 'POOL')).toHaveLength(7);
    expect(group(({ source }) => source === 'STRIPE')).toHaveLength(58);
    expect(group(({ type, source }) => type === 'PROJECT' && source !== 'STRIPE')).toHaveLength(231);
  });

  it('names every asset once, in the order of the ids', () => {
    const ids = assets.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
  });

  it('has between 100 and 500 million credits to retire', () => {
    const retirable = assets.filter(({ active, price }) => active === true && price !== undefined);
    const credits = retirable.reduce((sum, { issued = 0 }) => sum + issued, 0);
    expect(credits).toBeGreaterThan(100e6);
    expect(credits).toBeLessThan(500e6);
  });

  it('rates every asset from 0 to 5 and prices it', () => {
    for (const { rating, price } of assets) {
      expect(rating).toBeGreaterThanOrEqual(0);
      expect(rating).toBeLessThanOrEqual(5);
      expect(price).toBeGreaterThan(0);
    }
  });

  it('holds no vintage from before credits existed', () => {
    const vintages = assets.flatMap((asset) => asset.vintages ?? []);
    expect(Math.min(...vintages)).toBeGreaterThanOrEqual(1990);
    expect(Math.max(...vintages)).toBeLessThanOrEqual(2071);
  });

  it('answers the two searches of the quick start', () => {
    const pools = group(({ source, ticker }) => source === 'TOUCAN' && ['BCT', 'NCT'].includes(ticker ?? ''));
    expect(pools.map(({ id }) => id)).toEqual(['pool_bct', 'pool_nct']);
    const brazil = group(
      ({ country, vintages = [] }) => country === 'Brazil' && vintages.some((year) => year >= 2012 && year <= 2020),
    );
    expect(brazil.length).toBeGreaterThan(5);
  });

  it('gives a pool its Polygon token, or the first listed', () => {
    expect(find('pool_mco2')).toMatchObject({
      chain: 'polygon',
      address: '0xAa7DbD1598251f856C12f63557A4C4397c253Cea',
      source: 'MOSS',
    });
    expect(find('pool_char')).toMatchObject({ chain: 'base', address: '0x20b048fA035D5763685D695e66aDF62c5D9F5055' });
  });

  it('gives a project the lowest address of its latest vintage, and its id for a name where none is known', () => {
    expect(find('proj_vcs-728')).toMatchObject({
      ticker: 'VCS-728-2020',
      address: '0xc8bd17e44bb1789efae1f5d739657a2121dd5bc8',
    });
    expect(find('proj_vcs-525')).toMatchObject({ name: 'VCS-525', source: 'VERRA', registryId: 'VCS-525' });
  });

  it('keeps credits that do not exist yet from being retired', () => {
    const inactive = group(({ active }) => active !== true).map(({ id }) => id);
    expect(inactive).toEqual(['proj_icr-137', 'proj_icr-172', 'proj_icr-57']);
  });

  it('takes rating, price, volume and date of a removal proposal from its source', () => {
    expect(find('proj_strp015')).toEqual({
      id: 'proj_strp015',
      type: 'PROJECT',
      source: 'STRIPE',
      name: 'Finnish Log House',
      description: 'Manufacturing wooden building elements.',
      rating: 3,
      price: 20,
      issued: 25_000,
      active: true,
      country: 'Finland',
      categories: ['biomass', 'wood'],
      listedAt: '2020-05-18T00:00:00.000Z',
    });
    expect(group(({ source }) => source === 'STRIPE').every(({ ticker, address }) => !ticker && !address)).toBe(true);
  });
});
