import { SORTABLE } from '@carbon/contracts';
import { BY_RATING, BY_TIER, type SortKey, sortClauses, totalOrder } from './order.js';

const up = (by: SortKey['by']): SortKey => ({ by, descending: false });
const down = (by: SortKey['by']): SortKey => ({ by, descending: true });
const namesOf = (keys: readonly SortKey[]) => keys.map(({ by, descending }) => (descending ? `-${by}` : by)).join();

describe('an order', () => {
  it.each([
    [BY_RATING, '-rating,name,id'],
    [BY_TIER, '-tier,name,id'],
    [[up('price'), down('issued')], 'price,-issued,name,id'],
    [[down('name')], '-name,id'],
    [[up('country'), down('name'), up('rating')], 'country,-name,rating,id'],
    [[down('id')], '-id'],
    [[up('rating'), down('id'), up('name')], 'rating,-id'],
  ])('is made total by name and id, where it does not name them: %j', (keys, total) => {
    expect(namesOf(totalOrder(keys))).toBe(total);
  });

  it.each(SORTABLE)('puts what has no %s last, whichever way round', (by) => {
    const missing = by === 'listedAt' ? 8.64e15 : '_last';
    for (const descending of [false, true]) {
      const [clause] = sortClauses([{ by, descending }]);
      expect(Object.values(clause ?? {})).toEqual([
        { order: descending ? 'desc' : 'asc', missing: descending && by === 'listedAt' ? -missing : missing },
      ]);
    }
  });

  it('gives absent dates a place that survives being JSON, beyond every date', () => {
    for (const clause of sortClauses([up('listedAt'), down('listedAt')])) {
      const { missing } = clause.listedAt as { missing: number };
      expect(Number.isSafeInteger(missing)).toBe(true);
      expect(Math.abs(missing)).toBeGreaterThan(Date.parse('9999-12-31T23:59:59.999-23:59'));
    }
  });
});
