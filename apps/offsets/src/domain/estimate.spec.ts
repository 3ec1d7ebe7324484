import { type Estimate, type EstimateUser, termsOf } from './estimate.js';

const ESTIMATE: Estimate = {
  id: 'est_1',
  account: 'acme',
  grams: 1_500n,
  expiresAt: new Date('2026-11-22T08:00:00.000Z'),
  lines: [{ asset: 'pool_a', grams: 1_500n, priceMicros: 7n }],
};
const USER: EstimateUser = {
  account: 'acme',
  grams: 1_500n,
  createdAt: new Date('2026-11-21T08:00:00.000Z'),
  isUsed: false,
};
const at = (time: string) => ({ ...USER, createdAt: new Date(time) });

describe('the terms of an offset that names an estimate', () => {
  it('are the lines of the estimate', () => {
    expect(termsOf(USER, ESTIMATE)).toEqual({ estimate: 'est_1', lines: ESTIMATE.lines });
  });

  it.each([
    ['estimate_not_found', 'there is no such estimate', USER, undefined],
    ['estimate_not_found', "it is another account's", { ...USER, account: 'thief' }, ESTIMATE],
    ['estimate_mismatch', 'it is for a gram less', { ...USER, grams: 1_501n }, ESTIMATE],
    ['estimate_mismatch', 'it is for a gram more', { ...USER, grams: 1_499n }, ESTIMATE],
    ['estimate_used', 'another offset has it', { ...USER, isUsed: true }, ESTIMATE],
    ['estimate_expired', 'it had expired 5.001 s before', at('2026-11-22T08:00:05.001Z'), ESTIMATE],
  ])('are a failure, %s, when %s', (code, _, user, estimate) => {
    expect(termsOf(user, estimate)).toMatchObject({ code });
  });

  it('still hold for an offset that was accepted 5 s after the expiry, since clocks differ', () => {
    expect(termsOf(at('2026-11-22T08:00:05.000Z'), ESTIMATE)).toHaveProperty('lines');
  });

  it("tell nothing of another account's estimate, however it stands", () => {
    const stranger = { ...at('2027-01-01T00:00:00.000Z'), account: 'thief', isUsed: true, grams: 1n };
    expect(termsOf(stranger, ESTIMATE)).toEqual(termsOf(stranger, undefined));
  });
});
