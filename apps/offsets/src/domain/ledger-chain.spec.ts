import { createHash } from 'node:crypto';
import { canonicalJson } from '@carbon/contracts';
import fc from 'fast-check';
import { chain, chainStart, type Retirement } from './ledger-chain.js';

const FIRST: Retirement = {
  asset: 'pool_bct',
  offset: 'off_00000000000000000000000001',
  grams: 1_234_500n,
  priceMicros: 1_250_000n,
  at: '2026-11-21T08:00:00.000Z',
};
const SECOND: Retirement = {
  asset: 'pool_bct',
  offset: 'off_00000000000000000000000002',
  grams: 9_007_199_254_740_993n,
  priceMicros: 0n,
  at: '2026-11-21T08:00:00.001Z',
};

describe('the hash chain of an asset', () => {
  it('starts from the hash of its id', () => {
    const start = chainStart('pool_bct');
    expect(start.sequence).toBe(0n);
    expect(start.hash.toString('hex')).toBe('7f89e9d07b0288df6752f72ffa0d6d54f5f6f5c1c5957889e5c543e0c1fe2031');
  });

  it('has the hashes that were computed for these entries elsewhere', () => {
    const first = chain(chainStart('pool_bct'), FIRST);
    const second = chain(first, SECOND);
    expect([first.sequence, second.sequence]).toEqual([1n, 2n]);
    expect(first.hash.toString('hex')).toBe('dabeb90c581c9e0848d888359be03d993c9f70413aa10d0efc1bdbded8c407f4');
    expect(second.hash.toString('hex')).toBe('9c03fad76e68ceafbf6ef84f4d0694bedcc7059102ec157994f8c59078f0fb62');
  });

  it('hashes the bytes of the hash before, then the entry as canonical JSON', () => {
    const text =
      '{"asset":"pool_bct","at":"2026-11-21T08:00:00.000Z","grams":"1234500",' +
      '"offset":"off_00000000000000000000000001","priceMicros":"1250000","sequence":"1"}';
    const due = createHash('sha256').update(chainStart('pool_bct').hash).update(text).digest();
    expect(chain(chainStart('pool_bct'), FIRST).hash.equals(due)).toBe(true);
  });

  it('hashes the canonical JSON of every entry, escapes and all', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    const text = fc.string({ unit: 'grapheme' });
    const retirement = fc.record({ asset: text, offset: text, grams: amount, priceMicros: amount, at: text });
    fc.assert(
      fc.property(retirement, amount, (one, sequence) => {
        const head = { ...chainStart(one.asset), sequence };
        const words = {
          ...one,
          grams: `${one.grams}`,
          priceMicros: `${one.priceMicros}`,
          sequence: `${sequence + 1n}`,
        };
        const due = createHash('sha256').update(head.hash).update(canonicalJson(words)).digest('hex');
        expect(chain(head, one).hash.toString('hex')).toBe(due);
      }),
    );
  });

  it.each([
    ['a gram', { grams: 1_234_501n }],
    ['the price', { priceMicros: 1_250_001n }],
    ['the offset', { offset: SECOND.offset }],
    ['the time', { at: SECOND.at }],
    ['the asset', { asset: 'pool_nct' }],
  ])('changes with %s', (_, change) => {
    const start = chainStart('pool_bct');
    expect(chain(start, { ...FIRST, ...change }).hash.equals(chain(start, FIRST).hash)).toBe(false);
  });
});
