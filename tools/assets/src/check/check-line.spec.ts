import { checkLine } from './check-line.js';

const ASSET = { id: 'pool_a', type: 'POOL', source: 'TOUCAN', name: 'A' };
const check = (text: string) => checkLine({ bytes: Buffer.from(text) });
const checkWith = (members: object) => check(JSON.stringify({ ...ASSET, ...members }));
const faultsOf = (result: ReturnType<typeof checkLine>) => ('faults' in result ? result.faults : []);

describe('a line', () => {
  it('is sound when it is an asset, and is published in canonical form', () => {
    expect(check('{"type":"POOL", "name":"A", "price":2.50, "source":"TOUCAN", "id":"pool_a"}')).toEqual({
      id: 'pool_a',
      json: '{"id":"pool_a","name":"A","price":2.5,"source":"TOUCAN","type":"POOL"}',
    });
  });

  it('may end in a carriage return', () => {
    expect(check(`${JSON.stringify(ASSET)}\r`)).toMatchObject({ id: 'pool_a' });
  });

  it.each([
    ['{"id":', /^is not valid JSON: Unexpected end of JSON input$/],
    ['nonsense\u0007', /^is not valid JSON: Unexpected token .*nonsense\?/],
    ['[1]', /^is not an asset: must be an object, not an array$/],
    ['null', /^is not an asset: must not be null/],
    [`\uFEFF${JSON.stringify(ASSET)}`, /^starts with a byte order mark/],
  ])('is bad when it is %s', (text, fault) => {
    expect(faultsOf(check(text))).toEqual([expect.stringMatching(fault)]);
  });

  it('is bad when it is not UTF-8, or longer than any asset', () => {
    expect(faultsOf(checkLine({ bytes: Buffer.from([0x22, 0xff, 0x22]) }))).toEqual(['is not valid UTF-8']);
    expect(faultsOf(checkLine({ bytes: undefined }))).toEqual(['is longer than 1048576 bytes; no asset is']);
  });

  it.each([
    [{ name: undefined }, 'name is missing'],
    [{ price: '2' }, 'price must be a number, not a string'],
    [{ price: -1 }, 'price must be at least 0'],
    [{ price: 1e7 }, 'price must be at most 1000000'],
    [{ price: 0.1234567 }, 'price must have at most 6 decimals'],
    [{ issued: 0.0000001 }, 'issued must be whole grams: at most 6 decimals'],
    [{ rating: null }, 'rating must not be null; leave it out when it is not known'],
    [{ type: 'TOKEN' }, 'type must be POOL or PROJECT'],
    [{ type: 'PROJECT' }, 'type must agree with the id: POOL for pool_…, PROJECT for proj_…'],
    [{ id: 'pool_A' }, 'id must be pool_… or proj_… with 1 to 64 of a-z 0-9 _ -'],
    [{ source: 'Toucan' }, 'source must be an upper-case word: A-Z, then A-Z 0-9 _'],
    [{ address: '0xZZ' }, 'address must be 0x and 1 to 64 hexadecimal digits'],
    [{ vintages: [2020.5] }, 'vintages.0 must be a whole number, not a number'],
    [{ sdgs: [18] }, 'sdgs.0 must be at most 17'],
    [{ categories: Array(101).fill('x') }, 'categories must be at most 100 values'],
    [{ country: 'Brazil' }, 'country is a field of projects; leave it out'],
    [{ listedAt: '0000-01-01T00:00:00Z' }, 'listedAt must be of the years 0001 to 9999, in UTC'],
    [{ listedAt: 'yesterday' }, 'listedAt must be a date and time as RFC 3339 has it'],
    [{ tikcer: 'A' }, '"tikcer" is unknown, did you mean ticker?'],
    [{ colour: 'red' }, expect.stringMatching(/^"colour" is unknown, known are id, type, source, /)],
  ])('is bad with %j', (members, fault) => {
    expect(faultsOf(checkWith(members))).toEqual([fault]);
  });

  it('is told all its faults at once, and keeps its id', () => {
    expect(checkWith({ price: -1, rating: 'high', colour: 1 })).toEqual({
      id: 'pool_a',
      faults: [
        'rating must be a number, not a string',
        'price must be at least 0',
        expect.stringMatching(/^"colour" is unknown/),
      ],
    });
  });

  it('is bad when a member stands there twice, which JSON.parse would not see', () => {
    const twice = JSON.stringify(ASSET).replace('}', ',"price":1,"pr\\u0069ce":2}');
    expect(faultsOf(check(twice))).toEqual(['price stands there twice']);
    expect(checkWith({ name: 'a "name": in a text', ticker: '"name":' })).toMatchObject({ id: 'pool_a' });
  });
});
