import { readdirSync, readFileSync } from 'node:fs';
import { type Asset, assetSchema } from '@carbon/contracts';
import { buildLibrary, renderLibrary } from './library.js';
import { categoryNames } from './names.js';
import { proposalPrice } from './removal-proposals.js';
import { syntheticPrice, syntheticProjectSupply } from './synthetic.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const file = read('infra/data/assets.ndjson');
const lines = file.split('\n').slice(0, -1);
const assets = lines.map((line) => assetSchema.strict().parse(JSON.parse(line)));
const group = (belongs: (asset: Asset) => boolean): Asset[] => assets.filter(belongs);
const range = (numbers: readonly number[]) => [Math.min(...numbers), Math.max(...numbers)] as const;

describe('the committed library', () => {
  it('is generated from the sources, byte for byte', () => {
    expect(renderLibrary(buildLibrary()) === file).toBe(true);
  });

  it('has 7 pools, 231 tokenised projects and 58 removal proposals, each once, in the order of the ids', () => {
    expect(group(({ type }) => type === 'POOL')).toHaveLength(7);
    expect(group(({ source }) => source === 'STRIPE')).toHaveLength(58);
    expect(group(({ type, source }) => type === 'PROJECT' && source !== 'STRIPE')).toHaveLength(231);
    const ids = assets.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('has a rating from 0 to 5 and a price for every asset, and no vintage that is no year of issued credits', () => {
    const [lowest, highest] = range(assets.map(({ rating = Number.NaN }) => rating));
    expect([lowest >= 0, highest <= 5]).toEqual([true, true]);
    expect(assets.filter(({ price = 0 }) => price <= 0)).toEqual([]);
    const [first, last] = range(assets.flatMap(({ vintages = [] }) => vintages));
    expect([first >= 1990, last]).toEqual([true, 2025]);
  });

  it('has between 100 and 500 million retirable credits, none of a future vintage', () => {
    const retirable = group(({ active, price }) => active === true && price !== undefined);
    const credits = retirable.reduce((sum, { issued = 0 }) => sum + issued, 0);
    expect([credits > 100e6, credits < 500e6]).toEqual([true, true]);
    const inactive = group(({ active }) => active !== true).map(({ id }) => id);
    expect(inactive).toEqual(['proj_icr-137', 'proj_icr-172', 'proj_icr-57']);
  });

  it('answers the two searches of the quick start', () => {
    const pools = group(({ source, ticker }) => source === 'TOUCAN' && ['BCT', 'NCT'].includes(ticker ?? ''));
    expect(pools.map(({ id }) => id)).toEqual(['pool_bct', 'pool_nct']);
    const isOfTheYears = ({ vintages = [] }: Asset) => vintages.some((year) => year >= 2012 && year <= 2020);
    expect(group((asset) => asset.country === 'Brazil' && isOfTheYears(asset)).length).toBeGreaterThan(5);
  });
});

describe('the names in the library', () => {
  const count = (category: string) => group(({ categories = [] }) => categories.includes(category)).length;

  it('are one for each project type, whatever the source and the letter case', () => {
    const names = [...new Set(assets.flatMap(({ categories = [] }) => categories))];
    expect(names).toEqual(names.map((name) => name.toLowerCase()));
    expect(names.filter((name) => ['forests', 'ifm'].includes(name))).toEqual([]);
    expect([count('forestry'), count('improved forest management'), count('biochar')]).toEqual([41, 9, 22]);
    expect(categoryNames(['Forestry', 'forests', 'ifm'])).toEqual(['forestry', 'improved forest management']);
  });

  it('stay apart where project types differ', () => {
    const kinds = ['afforestation/reforestation', 'reforestation', 'agroforestry', 'redd+', 'agriculture', 'farming'];
    expect(kinds.map(count)).toEqual([2, 3, 1, 19, 2, 2]);
  });

  it('are one for each country', () => {
    const countries = new Set(assets.map(({ country }) => country));
    expect([...countries].filter((country) => country?.startsWith('Bolivia'))).toEqual(['Bolivia']);
    expect(group(({ country }) => country === 'Bolivia').map(({ id }) => id)).toEqual([
      'proj_pur-432524',
      'proj_vcs-2089',
    ]);
    expect(lines.filter((line) => line.includes('Plurinational'))).toEqual([]);
  });
});

describe('planned vintages', () => {
  it('are not offered, neither as years nor as tokens, and the description says that there are some', () => {
    const planned = group(({ description }) => description?.includes('planned and not issued yet') === true);
    expect(planned).toHaveLength(15);
    expect(new Set(planned.map(({ source }) => source))).toEqual(new Set(['INTERNATIONAL_CARBON_REGISTRY']));
    expect(group(({ ticker = '' }) => Number(/-(\d{4})$/.exec(ticker)?.[1]) > 2025)).toEqual([]);
    expect(assets.find(({ id }) => id === 'proj_icr-17')).toMatchObject({ ticker: 'ICR-17-2025', active: true });
    const unissued = assets.find(({ id }) => id === 'proj_icr-137');
    expect(unissued).toMatchObject({ active: false, issued: 0 });
    expect([unissued?.vintages, unissued?.ticker, unissued?.address]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the sources', () => {
  it('give a removal proposal its price in dollars', () => {
    expect(['767.5', '$1M', ''].map(proposalPrice)).toEqual([767.5, 1_000_000, undefined]);
    expect(() => proposalPrice('cheap')).toThrow('"cheap" is not a price');
  });

  it('have a price within the range of their kind, and the same supply for each vintage', () => {
    for (const id of ['proj_a', 'proj_b', 'proj_c', 'proj_d']) {
      expect(syntheticPrice(id, ['Biochar'])).toBeGreaterThanOrEqual(95);
      expect(syntheticPrice(id, ['Other', 'Renewable Energy'])).toBeLessThanOrEqual(6);
      expect(syntheticPrice(id, [])).toBeLessThanOrEqual(8);
    }
    expect(syntheticProjectSupply('proj_a', [])).toBe(0);
    expect(syntheticProjectSupply('proj_a', [2024, 2025])).toBe(2 * syntheticProjectSupply('proj_a', [2024]));
  });
});

describe('the licences of the data', () => {
  it.each([
    ['LICENSE-MIT-klima-subgraph.txt', 'Copyright (c) 2021 Klima DAO'],
    ['LICENSE-MIT-offsets-db-data.txt', 'Copyright (c) 2023 carbonplan'],
  ])('are complete next to the rows: %s', (name, holder) => {
    const licence = read(`infra/data/sources/${name}`);
    const parts = [holder, 'Permission is hereby granted, free of charge', 'THE SOFTWARE IS PROVIDED "AS IS"'];
    expect(parts.filter((part) => !licence.includes(part))).toEqual([]);
  });

  it('are stated for every source file, and attributed; the project itself is under Apache-2.0', () => {
    const [readme, notice] = ['infra/data/README.md', 'NOTICE'].map((page) => read(page).replace(/\s+/g, ' '));
    const files = readdirSync(new URL('infra/data/sources/', root));
    const credits = ['Klima DAO', 'Barbara K. Haya', 'CarbonPlan', 'CDR Database', 'Stripe', 'CC BY 4.0'];
    expect([...files, ...credits].filter((words) => !readme?.includes(words))).toEqual([]);
    expect(credits.filter((words) => !notice?.includes(words))).toEqual([]);
    expect(read('LICENSE')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
    expect(read('LICENSE')).toContain('END OF TERMS AND CONDITIONS');
  });
});
