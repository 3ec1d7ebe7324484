import { VERDICT_EXIT } from '../failures.js';
import { digestOf, digestOfId } from './digest.js';
import { DigestTable } from './digest-table.js';
import { aheadOf, differenceOf } from './discrepancies.js';
import { type Findings, verdictOf } from './verify-library.js';

describe('a difference', () => {
  it('is none between equal contents, nor where there is nothing on either side', () => {
    expect(differenceOf('pool_a', { name: 'A', vintages: [1, 2] }, { vintages: [1, 2], name: 'A' })).toBeUndefined();
    expect(differenceOf('pool_a', undefined, undefined)).toBeUndefined();
  });

  it('shortens long values without cutting a character in two', () => {
    const { detail = '' } = differenceOf('pool_a', { name: '😀'.repeat(500) }, { name: 'B' }) ?? {};
    expect(detail.length).toBeLessThan(200);
    expect(detail).toMatch(/😀…$/u);
  });

  it('is a version that the topic has not reached', () => {
    const found = [8n, 9n, 10n].map((version) => aheadOf('pool_a', 8n, version)?.kind);
    expect(found).toEqual([undefined, undefined, 'ahead']);
  });
});

describe('the digests of a library', () => {
  it('go by what the fields hold and by the version, not by the order of fields', () => {
    expect(digestOf({ a: 1, b: [1, 2] }, 1n)).toEqual(digestOf({ b: [1, 2], a: 1 }, 1n));
    expect(digestOf({ a: [1, 2] }, 1n)).not.toEqual(digestOf({ a: [2, 1] }, 1n));
    expect(digestOf({ a: 1 }, 1n)).not.toEqual(digestOf({ a: 1 }, 2n));
    expect(digestOf({ a: '1' }, 1n)).not.toEqual(digestOf({ a: 1 }, 1n));
  });

  it('know the last content of an id, and its state', () => {
    const table = new DigestTable();
    const [id, one, two] = [digestOfId('pool_a'), digestOf({ n: 1 }, 1n), digestOf({ n: 2 }, 1n)];
    expect(table.stateOf(id)).toBe('free');
    table.put(id, 'there', one);
    table.put(id, 'there', two);
    expect([table.holds(id, one), table.holds(id, two)]).toEqual([false, true]);
    table.put(id, 'withdrawn');
    expect([table.stateOf(id), table.count('there'), table.count('withdrawn')]).toEqual(['withdrawn', 0, 1]);
  });

  it('are kept of every one of 100,000 assets, in at most 100 bytes each', () => {
    const table = new DigestTable();
    const ids = Array.from({ length: 100_000 }, (_, n) => n);
    for (const n of ids) table.put(digestOfId(`proj_${n}`), 'there', digestOf({ n }, 1n));
    expect(table.bytes / 100_000).toBeLessThanOrEqual(100);
    expect(table.count('there')).toBe(100_000);
    expect(ids.filter((n) => !table.holds(digestOfId(`proj_${n}`), digestOf({ n }, 1n)))).toEqual([]);
  });
});

describe('the exit code of verify', () => {
  it.each<[number, Partial<Findings>]>([
    [0, {}],
    [1, { more: 1 }],
    [1, { differences: [{ kind: 'missing', id: 'pool_a', detail: '' }], undecided: 2 }],
    [3, { undecided: 1 }],
  ])('is %d for %j', (code, found) => {
    const nothing = { generation: '1a2b3c4d-1', assets: 3, differences: [], unnamed: 0, more: 0, undecided: 0 };
    expect(VERDICT_EXIT[verdictOf({ ...nothing, ...found })]).toBe(code);
  });
});
