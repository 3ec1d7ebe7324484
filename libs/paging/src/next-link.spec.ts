import { nextLink } from './next-link.js';

describe('nextLink', () => {
  it('keeps every parameter, encoded, behind an absolute path', () => {
    const parameters = { criteria: 'name:"a & b" and rating>3', fullTextSearch: '', limit: 2, cursor: 'x-_' };
    const link = nextLink('/v1/assets/pools', parameters);
    expect(link).toBe(
      '</v1/assets/pools?criteria=name%3A%22a%20%26%20b%22%20and%20rating%3E3&fullTextSearch=&limit=2&cursor=x-_>; rel="next"',
    );
    const query = new URL(link.slice(1, link.indexOf('>')), 'http://host').searchParams;
    expect(Object.fromEntries(query)).toEqual({ ...parameters, limit: '2' });
  });
});
