import { ESTIMATE_UNSERVABLE, isShortage, shortageText, supplyShortage, TOO_MANY_ASSETS } from './failure.js';

describe('a shortage', () => {
  it.each([
    [0n, '', 'No credits are available.'],
    [1_000_000n, '', 'Only 1 credit is available, fewer than this estimate needs.'],
    [1_500_000n, '', 'Only 1.5 credits are available, fewer than this estimate needs.'],
    [2_000_000n, ' of this asset', 'Only 2 credits of this asset are available, fewer than this estimate needs.'],
  ])('says how many credits there are: %d g%s', (grams, owner, sentence) => {
    expect(shortageText(grams, undefined, owner)[0]).toBe(sentence);
  });

  it('advises to ask for less only where there is something left', () => {
    expect(supplyShortage(0n).detail).toBe('No credits are available. Nothing was retired; try again later.');
  });

  it('is told from other failures with the same code', () => {
    const shortage = supplyShortage(1_500_000n);
    expect(shortage).toMatchObject({ code: 'insufficient_supply', availableGrams: 1_500_000n });
    expect(shortage.detail).toMatch(/^Only 1\.5 credits are available, fewer than this offset needs\./);
    expect([shortage, TOO_MANY_ASSETS, ESTIMATE_UNSERVABLE].map(isShortage)).toEqual([true, false, false]);
  });
});
