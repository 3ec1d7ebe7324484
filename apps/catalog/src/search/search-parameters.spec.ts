import { fieldsOf } from '@carbon/contracts';
import { UserFault } from '@carbon/faults';
import { searchParameters } from './search-parameters.js';

const address = (more: string) => `/v1/assets/x?criteria=&fullTextSearch=&${more}`;
const read = (more: string, type: 'POOL' | 'PROJECT' = 'POOL') => searchParameters(address(more), type);

function flaw(more: string, type: 'POOL' | 'PROJECT' = 'POOL') {
  try {
    read(more, type);
  } catch (error) {
    if (error instanceof UserFault) return error.items;
    throw error;
  }
  throw new Error(`${more} was taken`);
}

describe('sort', () => {
  it('names fields, the most important first, with a - for descending order', () => {
    expect(read('sort=-rating,name').sort).toEqual({
      text: '-rating,name',
      keys: [
        { by: 'rating', descending: true },
        { by: 'name', descending: false },
      ],
    });
  });

  it('takes every field that can be sorted by, where assets have it', () => {
    const both = 'id,ticker,source,name,-rating,price,issued,-listedAt,registry';
    expect(read(`sort=${both}`).sort?.keys).toHaveLength(9);
    expect(read(`sort=${both},country,-region`, 'PROJECT').sort?.keys).toHaveLength(11);
  });

  it.each([
    ['raiting', 'names raiting, which cannot be sorted by; did you mean rating?', { suggestion: 'rating' }],
    ['-Name', 'names Name, which cannot be sorted by; did you mean name?', { suggestion: 'name' }],
    ['--name', 'names -name, which cannot be sorted by; did you mean name?', { suggestion: 'name' }],
    ['%2Bname', 'names +name, which cannot be sorted by; did you mean name?', { suggestion: 'name' }],
    ['name,+id', 'names  id, which cannot be sorted by; did you mean id?', { suggestion: 'id' }],
    ['name,-name', 'names name more than once; name each field once', {}],
    ['name,,id', 'holds an empty name; separate names by single commas', {}],
    ['-', 'holds an empty name; separate names by single commas', {}],
    [
      'description',
      'names description, which cannot be sorted by; use id, ticker, source, name, rating, price, issued, listedAt, registry',
      { allowed: ['id', 'ticker', 'source', 'name', 'rating', 'price', 'issued', 'listedAt', 'registry'] },
    ],
    [
      'country',
      'names country, which only projects have; use id, ticker, source, name, rating, price, issued, listedAt, registry',
      { allowed: expect.any(Array) },
    ],
    [
      '__proto__',
      expect.stringMatching(/^names __proto__, which cannot be sorted by; use/),
      { allowed: expect.any(Array) },
    ],
    ['x'.repeat(9_999), expect.stringMatching(/^names x{64}, which/), { allowed: expect.any(Array) }],
    ['', 'must not be empty; give it a value or leave it out', {}],
  ])('is not %s', (sort, detail, advice) => {
    expect(flaw(`sort=${sort}`)).toEqual([{ field: 'sort', code: 'invalid_parameter', detail, ...advice }]);
  });
});

describe('fields', () => {
  it('names fields in any order, which is that of the field list', () => {
    expect(read('fields=name,id').fields).toEqual({ text: 'name,id', names: ['id', 'name'] });
  });

  it.each(['POOL', 'PROJECT'] as const)('takes * for every field of the schema (%s)', (type) => {
    expect(read('fields=*', type).fields?.names).toEqual(fieldsOf(type));
  });

  it.each([
    ['names', 'names names, which is no field here; did you mean name?', { suggestion: 'name' }],
    ['id,id', 'names id more than once; name each field once', {}],
    ['id,', 'holds an empty name; separate names by single commas', {}],
    ['id,*', 'holds *, which stands alone', {}],
    [
      'type',
      expect.stringMatching(/^names type, which is no field here; use id, ticker/),
      { allowed: fieldsOf('POOL') },
    ],
    ['region', expect.stringMatching(/^names region, which only projects have; use id/), { allowed: fieldsOf('POOL') }],
    ['indexedAt', expect.stringMatching(/^names indexedAt, which is no field here/), { allowed: fieldsOf('POOL') }],
  ])('is not %s', (fields, detail, advice) => {
    expect(flaw(`fields=${fields}`)).toEqual([{ field: 'fields', code: 'invalid_parameter', detail, ...advice }]);
  });

  it('is told with every other mistake', () => {
    const items = flaw('fields=x&sort=y&limit=0').map(({ field }) => field);
    expect(items).toEqual(['fields', 'sort', 'limit']);
  });
});
