import { integer, optional, required } from '@carbon/contracts';
import { z } from 'zod';
import { RequestError } from './errors.js';
import { readParameters } from './parameters.js';

const spec = {
  criteria: required(z.string(), { mayBeEmpty: true }),
  fullTextSearch: required(z.string().max(5, { error: 'must be at most 5 characters long' }), { mayBeEmpty: true }),
  limit: optional(integer(1, 100)),
  cursor: optional(z.string()),
};

const read = (query: string) => readParameters(`/v1/assets/pools${query}`, spec);

function itemsOf(query: string) {
  try {
    read(query);
  } catch (error) {
    if (error instanceof RequestError && error.code === 'invalid_request') return error.items;
    throw error;
  }
  throw new Error('the query was accepted');
}

describe('readParameters', () => {
  it('reads every parameter by its schema', () => {
    const parameters: { readonly criteria: string; readonly limit?: number } = read(
      '?criteria=a%3D1&fullTextSearch=&limit=007',
    );
    expect(parameters).toEqual({ criteria: 'a=1', fullTextSearch: '', limit: 7 });
  });

  it('reads + as a space, %2B as +, and = within a value', () => {
    expect(read('?criteria=a+b%2Bc=d&fullTextSearch=%C3%BC').criteria).toBe('a b+c=d');
  });

  it('reads an empty query if no parameter is required', () => {
    for (const url of ['/x', '/x?']) expect(readParameters(url, { limit: spec.limit })).toEqual({});
  });

  const EMPTY = 'must not be empty; send a value or omit the parameter';
  const NO_LIMIT = 'must be an integer from 1 to 100';
  const NO_UTF8 = 'is not valid percent-encoded UTF-8; encode a % as %25';
  const UNKNOWN = 'unknown parameter; this route accepts: criteria, fullTextSearch, limit, cursor';

  it.each([
    ['criteria=&fullTextSearch=&limit=', 'limit', 'invalid_parameter', EMPTY],
    ['criteria=&fullTextSearch=&limit', 'limit', 'invalid_parameter', EMPTY],
    ['criteria=&fullTextSearch=&limit=101', 'limit', 'invalid_parameter', NO_LIMIT],
    ['criteria=&fullTextSearch=&limit=1e1', 'limit', 'invalid_parameter', NO_LIMIT],
    ['criteria=&fullTextSearch=&limit=-1', 'limit', 'invalid_parameter', NO_LIMIT],
    ['criteria=&fullTextSearch=long12', 'fullTextSearch', 'invalid_parameter', 'must be at most 5 characters long'],
    ['criteria=', 'fullTextSearch', 'missing_parameter', 'is missing; send fullTextSearch= for an empty value'],
    [`fullTextSearch=${'&criteria='.repeat(50)}`, 'criteria', 'duplicate_parameter', 'is repeated; send it once'],
    ['criteria=%zz&fullTextSearch=', 'criteria', 'invalid_parameter', NO_UTF8],
    ['criteria=%ff&fullTextSearch=', 'criteria', 'invalid_parameter', NO_UTF8],
    ['criteria=&fullTextSearch=&sort=name', 'sort', 'unknown_parameter', UNKNOWN],
    ['criteria=&fullTextSearch=&__proto__=1', '__proto__', 'unknown_parameter', UNKNOWN],
  ])('rejects %s', (query, field, code, detail) => {
    expect(itemsOf(`?${query}`)).toEqual([expect.objectContaining({ field, code, detail })]);
  });

  it('suggests the likely name of an unknown parameter', () => {
    const items = itemsOf('?criteria=&fulltextsearch=&fullTextSearch=');
    expect(items).toEqual([expect.objectContaining({ code: 'unknown_parameter', suggestion: 'fullTextSearch' })]);
  });

  it('suggests a name that the route accepts in another request', () => {
    expect(() => readParameters('/x?Id=off_1', { limit: spec.limit }, ['id'])).toThrow(
      expect.objectContaining({ items: [expect.objectContaining({ field: 'Id', suggestion: 'id' })] }),
    );
  });

  it('adds the suggestion, hint and allowed values of the schema to the item', () => {
    const params = { suggestion: 'name', allowed: ['id', 'name'], hint: 'try it' };
    const sort = optional(z.string().refine((text) => text === 'name', { error: 'is unknown', params }));
    expect(() => readParameters('/x?sort=nam', { sort })).toThrow(
      expect.objectContaining({
        items: [{ field: 'sort', code: 'invalid_parameter', detail: 'is unknown', ...params }],
      }),
    );
  });

  it('hints at an unencoded & before a piece that looks like the rest of a value, and rejects one at the end', () => {
    const unknown = { code: 'unknown_parameter', hint: 'Encode an & inside a value as %26.' };
    expect(itemsOf('?criteria=source:A && price<5&fullTextSearch=')).toEqual([
      expect.objectContaining({ field: '', ...unknown }),
      expect.objectContaining({ field: ' price<5', ...unknown }),
    ]);
    expect(itemsOf('?criteria=&fullTextSearch=&')).toEqual([
      expect.objectContaining({ field: '', code: 'unknown_parameter' }),
    ]);
    expect(itemsOf('?criteria=&fullTextSearch=&$filter=price')).toEqual([
      expect.not.objectContaining({ hint: expect.anything() }),
    ]);
  });
});
