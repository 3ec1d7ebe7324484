import { digestOf, digestOfId } from './digest.js';
import { DigestTable } from './digest-table.js';

describe('the table of digests', () => {
  it('knows the last content of an id, and its state', () => {
    const table = new DigestTable();
    const [id, one, two] = [digestOfId('pool_a'), digestOf({ n: 1 }, 1n), digestOf({ n: 2 }, 1n)];
    expect(table.stateOf(id)).toBe('free');
    table.put(id, 'there', one);
    table.put(id, 'there', two);
    expect([table.holds(id, one), table.holds(id, two)]).toEqual([false, true]);
    table.put(id, 'withdrawn');
    expect([table.stateOf(id), table.count('there'), table.count('withdrawn')]).toEqual(['withdrawn', 0, 1]);
  });

  it('keeps every one of 100,000 assets, in at most 100 bytes each', () => {
    const table = new DigestTable();
    for (let n = 0; n < 100_000; n += 1) table.put(digestOfId(`proj_${n}`), 'there', digestOf({ n }, 1n));
    expect(table.bytes / 100_000).toBeLessThanOrEqual(100);
    expect(table.count('there')).toBe(100_000);
    for (let n = 0; n < 100_000; n += 1) {
      if (!table.holds(digestOfId(`proj_${n}`), digestOf({ n }, 1n))) throw new Error(`proj_${n} is lost`);
    }
  });
});

describe('the digest of a document', () => {
  it('goes by what the fields hold, not by their order', () => {
    expect(digestOf({ a: 1, b: [1, 2] }, 1n)).toEqual(digestOf({ b: [1, 2], a: 1 }, 1n));
    expect(digestOf({ a: [1, 2] }, 1n)).not.toEqual(digestOf({ a: [2, 1] }, 1n));
    expect(digestOf({ a: 1 }, 1n)).not.toEqual(digestOf({ a: 1 }, 2n));
    expect(digestOf({ a: '1' }, 1n)).not.toEqual(digestOf({ a: 1 }, 1n));
  });
});
