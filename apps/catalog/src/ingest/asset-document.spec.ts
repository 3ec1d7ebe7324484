import { asset } from '../test-asset.js';
import { assetDocument } from './asset-document.js';

describe('assetDocument', () => {
  it('holds the fields that the asset has, and not its type: the index says that', () => {
    expect(assetDocument(asset('pool_a', { rating: 4, vintages: [2020] }))).toEqual({
      id: 'pool_a',
      source: 'TOUCAN',
      name: 'pool_a',
      rating: 4,
      vintages: [2020],
    });
  });

  it('leaves out what only the other type has', () => {
    expect(assetDocument(asset('pool_a', { country: 'Brazil' }))).not.toHaveProperty('country');
    expect(assetDocument(asset('proj_a', { country: 'Brazil' }))).toHaveProperty('country', 'Brazil');
  });

  it('composes accents, also inside lists', () => {
    const document = assetDocument(asset('proj_a', { name: 'Sa\u0303o', categories: ['e\u0301cole'] }));
    expect(document).toMatchObject({ name: 'S\u00e3o', categories: ['\u00e9cole'] });
  });

  it('takes the sign off a zero', () => {
    expect(Object.is(assetDocument(asset('pool_a', { rating: -0 })).rating, 0)).toBe(true);
  });

  it('keeps false', () => {
    expect(assetDocument(asset('pool_a', { active: false }))).toHaveProperty('active', false);
  });
});
