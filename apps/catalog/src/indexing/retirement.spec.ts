import { retirementAlias, retirementsOf } from './retirement.js';

describe('a retirement', () => {
  const retirement = { turn: 3, at: new Date('2026-01-01T00:00:00.123Z') };

  it('is read from the alias that keeps it, by who has the same prefix', () => {
    const alias = retirementAlias('eu-', retirement);
    expect(alias).toBe('eu-retired-3-1767225600123');
    expect(retirementsOf('eu-', [alias])).toEqual([retirement]);
    expect(retirementsOf('', [alias])).toEqual([]);
    expect(retirementsOf('us-', [alias])).toEqual([]);
  });

  it.each(['pools', 'retired', 'retired-3', 'retired-3-', 'retired-x-1', 'retired-3-1-old', 'was-retired-3-1'])(
    'is not in the alias %s',
    (alias) => {
      expect(retirementsOf('', [alias])).toEqual([]);
    },
  );
});
