import { availableCredits, ESTIMATE_UNSERVABLE, isShortage, supplyShortage, TOO_MANY_ASSETS } from './failure.js';

describe('a shortage', () => {
  it.each([
    [0n, '', 'No credits are available'],
    [1_000_000n, '', 'Only 1 credit is available'],
    [1_500_000n, '', 'Only 1.5 credits are available'],
    [2_000_000n, ' of this asset', 'Only 2 credits of this asset are available'],
  ])('says how many credits there are: %d g%s', (grams, owner, sentence) => {
    expect(availableCredits(grams, owner)).toBe(sentence);
  });

  it('is told from other failures with the same code', () => {
    const shortage = supplyShortage(1_500_000n);
    expect(shortage).toMatchObject({ code: 'insufficient_supply', availableGrams: 1_500_000n });
    expect(shortage.detail).toMatch(/^Only 1\.5 credits are available, fewer than this offset needs\./);
    expect([shortage, TOO_MANY_ASSETS, ESTIMATE_UNSERVABLE].map(isShortage)).toEqual([true, false, false]);
  });
});
