import fc from 'fast-check';
import { estimatesInHand } from './estimates-in-hand.js';

const counts = new Map([
  ['small', 1],
  ['large', 9],
  ['huge', 30],
]);
const inHand = (...named: string[]) => [...estimatesInHand(named, counts, 10)];

describe('the estimates that a batch looks at', () => {
  it('have no more lines together than they may, and each counts once', () => {
    expect(inHand('small', 'large', 'small', 'large')).toEqual(['small', 'large']);
    expect(inHand('large', 'small', 'huge')).toEqual(['large', 'small']);
  });

  it('are the first one, however large it is', () => {
    expect(inHand('huge', 'small')).toEqual(['huge']);
    expect(inHand()).toEqual([]);
  });

  it('never pass by one that is too much', () => {
    expect(inHand('large', 'huge', 'small')).toEqual(['large']);
  });

  it('cost nothing where nobody has such an estimate', () => {
    expect(inHand('large', 'unknown', 'nobody’s', 'small')).toEqual(['large', 'unknown', 'nobody’s', 'small']);
  });

  it('are the most of those named first that have room', () => {
    const named = fc.array(fc.record({ id: fc.stringMatching(/^[a-f]$/), lines: fc.nat(6) }), { maxLength: 12 });
    fc.assert(
      fc.property(named, fc.integer({ min: 1, max: 12 }), (all, most) => {
        const lineCounts = new Map(all.map(({ id, lines }) => [id, lines]));
        const ids = [...new Set(all.map(({ id }) => id))];
        const some = [...estimatesInHand(ids, lineCounts, most)];
        const linesOf = (each: readonly string[]) => each.reduce((sum, id) => sum + (lineCounts.get(id) ?? 0), 0);
        expect(some).toEqual(ids.slice(0, some.length));
        if (some.length > 1) expect(linesOf(some)).toBeLessThanOrEqual(most);
        if (some.length < ids.length) expect(linesOf(ids.slice(0, some.length + 1))).toBeGreaterThan(most);
      }),
    );
  });
});
