import { readFullText } from './full-text/terms.js';
import { BY_RATING, BY_TIER, totalOrder } from './order.js';
import { searchRequest } from './search-request.js';

const filter = { term: { ticker: { value: 'BCT' } } };

function request(
  text: string,
  { after, order = BY_RATING }: { after?: readonly (string | null)[]; order?: typeof BY_TIER } = {},
) {
  const wanted = {
    filter,
    fullText: readFullText(text),
    order: totalOrder(order),
    fields: ['id', 'name'],
    size: 26,
  } as const;
  return searchRequest({ ...wanted, ...(after && { after }) }, 1_500);
}

describe('searchRequest', () => {
  it('puts criteria where nothing is scored', () => {
    expect(request('')).toMatchObject({ query: { bool: { filter: [filter] } } });
    expect(request('')).not.toHaveProperty('query.bool.must');
    expect(request('bct')).toMatchObject({ query: { bool: { filter: [filter], must: [{ dis_max: {} }] } } });
  });

  it('orders by rating, absent last, then name and id', () => {
    expect(request('')).toMatchObject({
      sort: [
        { rating: { order: 'desc', missing: '_last' } },
        { 'name.exact': { order: 'asc' } },
        { id: { order: 'asc' } },
      ],
    });
  });

  it('orders by tier', () => {
    expect(request('bct', { order: BY_TIER })).toMatchObject({ sort: [{ _score: { order: 'desc' } }, {}, {}] });
  });

  it('asks for the fields, a bounded time and the exact total', () => {
    expect(request('')).toMatchObject({
      _source: ['id', 'name'],
      size: 26,
      timeout: '1500ms',
      track_total_hits: true,
    });
  });

  it('goes on behind the place it is given', () => {
    expect(request('', { after: [null, 'base', 'pool_a'] })).toMatchObject({ search_after: [null, 'base', 'pool_a'] });
    expect(request('')).not.toHaveProperty('search_after');
  });
});
