import { ASSET_FIELDS, assetSchema, MAX_ISSUED_CREDITS, RESULT_FIELDS } from './asset.js';

const POOL = { id: 'pool_bct', type: 'POOL', source: 'TOUCAN', name: 'Base Carbon Tonne' };
const issuesOf = (change: object) => {
  const result = assetSchema.safeParse({ ...POOL, ...change });
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('an asset', () => {
  it('needs id, type, source and name, and nothing else', () => {
    expect(assetSchema.parse(POOL)).toEqual(POOL);
    expect(Object.keys(POOL).filter((name) => issuesOf({ [name]: undefined }).length === 0)).toEqual([]);
  });

  it('has exactly the fields of the table, and its type', () => {
    expect(Object.keys(assetSchema.shape).sort()).toEqual(['type', ...Object.keys(ASSET_FIELDS)].sort());
  });

  it('drops members that a newer writer added', () => {
    expect(assetSchema.parse({ ...POOL, colour: 'green' })).toEqual(POOL);
  });

  it('rejects null for any field', () => {
    expect(Object.keys(ASSET_FIELDS).filter((name) => issuesOf({ [name]: null }).length === 0)).toEqual([]);
  });

  it.each([
    ['a type that its id contradicts', { type: 'PROJECT' }],
    ['an id with an unknown prefix', { id: 'asset_bct' }],
    ['an id with capitals', { id: 'pool_BCT' }],
    ['an id with 65 characters after its prefix', { id: `pool_${'a'.repeat(65)}` }],
    ['a lower-case source', { source: 'toucan' }],
    ['a source with a hyphen', { source: 'PURO-EARTH' }],
    ['an address without 0x', { address: 'abc' }],
    ['an address of 65 hexadecimal digits', { address: `0x${'a'.repeat(65)}` }],
    ['an empty name', { name: '' }],
    ['a name of 513 characters', { name: 'a'.repeat(513) }],
    ['a description of 10,001 characters', { description: 'a'.repeat(10_001) }],
    ['a control character', { ticker: 'B\u0007CT' }],
    ['half a surrogate pair', { ticker: '\ud83c' }],
    ['an infinite rating', { rating: Number.POSITIVE_INFINITY }],
    ['a negative price', { price: -1 }],
    ['a price above a million', { price: 1_000_000.5 }],
    ['a price of seven decimals', { price: 1.0000001 }],
    ['issued credits with a fraction of a gram', { issued: 0.0000001 }],
    ['more issued credits than a JSON number holds exactly to the gram', { issued: MAX_ISSUED_CREDITS + 1 }],
    ['a fractional vintage', { vintages: [2012.5] }],
    ['the Sustainable Development Goal 0', { sdgs: [0] }],
    ['the Sustainable Development Goal 18', { sdgs: [18] }],
    ['101 categories', { categories: Array.from({ length: 101 }, (_, n) => `c${n}`) }],
    ['a date without time', { listedAt: '2021-10-18' }],
    ['a time with ten fractional digits', { listedAt: '2021-10-18T08:00:00.1234567890Z' }],
    ['a UTC offset of more than 18 hours', { listedAt: '2021-10-18T08:00:00+18:01' }],
    ['a time of the year 0000', { listedAt: '0000-12-31T23:59:59-10:00' }],
    ['a time of the year 0 in UTC', { listedAt: '0001-01-01T00:00:00+00:01' }],
    ['a time of the year 10000 in UTC', { listedAt: '9999-12-31T23:59:59-00:01' }],
    ['a number as text', { rating: '4' }],
  ])('is rejected with %s', (_, change) => {
    expect(issuesOf(change)[0]).toMatch(new RegExp(`^${Object.keys(change)[0]}(\\.\\d+)?: `));
  });

  it.each([
    ['an id with 64 characters after its prefix', { id: `pool_${'a'.repeat(64)}` }],
    ['a name of 512 characters outside the Basic Multilingual Plane', { name: '🌳'.repeat(512) }],
    ['an address of one digit, a negative rating and no price', { address: '0xA', rating: -3.25, price: 0 }],
    ['a price of six decimals and the maximum issued credits', { price: 0.000001, issued: MAX_ISSUED_CREDITS }],
    ['a listing time with an offset from UTC', { listedAt: '2021-10-18T08:00:00+02:00' }],
    ['a listing time with nine fractional digits', { listedAt: '2021-10-18T08:00:00.123456789-18:00' }],
    ['the last listing time of the year 9999', { listedAt: '9999-12-31T23:59:59.999Z' }],
    ['empty lists', { vintages: [], sdgs: [], categories: [] }],
  ])('may have %s', (_, change) => {
    expect(issuesOf(change)).toEqual([]);
  });

  it('reports the field and the fix', () => {
    expect(issuesOf({ source: 'toucan' })).toEqual(['source: must be an upper-case word: A-Z, then A-Z 0-9 _']);
    const contradiction = 'type: must agree with the id: POOL for pool_…, PROJECT for proj_…';
    expect(issuesOf({ type: 'PROJECT' })).toEqual([contradiction]);
  });

  it('has six default fields in a result, which pools and projects share', () => {
    expect(RESULT_FIELDS.map((name) => ASSET_FIELDS[name].on)).toEqual(Array(6).fill(['POOL', 'PROJECT']));
  });
});
