import { inventedPoolSupply, inventedPrice, inventedProjectSupply, inventedRating } from './invented.js';
import { yearRanges } from './project-description.js';
import { proposalPlace } from './proposal-places.js';
import { proposalPrice } from './removal-proposals.js';
import { sourceWord } from './tokenised-projects.js';

describe('the invented values', () => {
  it('hang on the id alone', () => {
    expect(inventedRating('pool_bct')).toBe(inventedRating('pool_bct'));
    expect(inventedPoolSupply('pool_bct')).not.toBe(inventedPoolSupply('pool_nct'));
  });

  it('price an asset within the range of its kind', () => {
    for (const id of ['proj_a', 'proj_b', 'proj_c', 'proj_d']) {
      expect(inventedPrice(id, ['Biochar'])).toBeGreaterThanOrEqual(95);
      expect(inventedPrice(id, ['Other', 'Renewable Energy'])).toBeLessThanOrEqual(6);
      expect(inventedPrice(id, [])).toBeLessThanOrEqual(8);
    }
  });

  it('issue nothing for a vintage that is still to come', () => {
    expect(inventedProjectSupply('proj_a', [2028, 2029])).toBe(0);
    expect(inventedProjectSupply('proj_a', [2024, 2025, 2026])).toBe(2 * inventedProjectSupply('proj_a', [2024]));
  });
});

describe('reading the sources', () => {
  it.each([
    ['Puro.earth', 'PURO_EARTH'],
    ['T-VER', 'T_VER'],
    ['International Carbon Registry', 'INTERNATIONAL_CARBON_REGISTRY'],
  ])('writes the registry %s as the word %s', (registry, word) => {
    expect(sourceWord(registry)).toBe(word);
  });

  it('draws runs of years together', () => {
    expect(yearRanges([2012, 2013, 2014, 2016, 2018, 2019])).toBe('2012–2014, 2016, 2018–2019');
  });

  it.each([
    ['Mountain City, TN, USA', { country: 'United States', region: 'Mountain City, TN' }],
    ['Finland', { country: 'Finland' }],
    ['Scotland', { country: 'United Kingdom', region: 'Scotland' }],
    ['Pacific Ocean (near CA)', { region: 'Pacific Ocean (near CA)' }],
    ['Unspecified', {}],
  ])('reads the location %s', (location, place) => {
    expect(proposalPlace(location)).toEqual(place);
  });

  it('reads a price, a million in short, and none', () => {
    expect([proposalPrice('767.5'), proposalPrice('$1M'), proposalPrice('')]).toEqual([767.5, 1_000_000, undefined]);
    expect(() => proposalPrice('cheap')).toThrow('"cheap" is not a price');
  });
});
