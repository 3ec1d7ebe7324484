import { readFullText } from './full-text/terms.js';
import { searchRequest } from './search-request.js';

const filter = { term: { ticker: { value: 'BCT' } } };
const request = (text: string, after?: readonly (string | number)[]) =>
  searchRequest({ filter, fullText: readFullText(text), size: 26, timeoutMs: 1_500, ...(after && { after }) });

describe('searchRequest', () => {
  it('puts criteria where nothing is scored', () => {
    expect(request('')).toMatchObject({ query: { bool: { filter: [filter] } } });
    expect(request('')).not.toHaveProperty('query.bool.must');
    expect(request('bct')).toMatchObject({ query: { bool: { filter: [filter], must: [{ dis_max: {} }] } } });
  });

  it('orders by rating, absent last, then name and id', () => {
    expect(request('')).toMatchObject({
      sort: [{ rating: { order: 'desc', missing: '_last' } }, { 'name.exact': 'asc' }, { id: 'asc' }],
    });
  });

  it('orders by tier where there is full text', () => {
    expect(request('bct')).toMatchObject({ sort: [{ _score: 'desc' }, { 'name.exact': 'asc' }, { id: 'asc' }] });
    expect(request('!!!')).toMatchObject({ sort: [{ _score: 'desc' }, {}, {}] });
  });

  it('asks for the six fields, a bounded time and no total', () => {
    expect(request('')).toMatchObject({
      _source: ['ticker', 'address', 'source', 'description', 'rating', 'name'],
      size: 26,
      timeout: '1500ms',
      track_total_hits: false,
    });
  });

  it('goes on behind the place it is given', () => {
    expect(request('', [4.5, 'base', 'pool_a'])).toMatchObject({ search_after: [4.5, 'base', 'pool_a'] });
    expect(request('')).not.toHaveProperty('search_after');
  });
});
