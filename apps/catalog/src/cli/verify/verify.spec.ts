import { discrepancyOf, versionDiscrepancyOf } from './discrepancies.js';
import { LibraryComparison } from './library-comparison.js';
import { VERDICT_EXIT, type VerifyResult, verdictOf } from './report.js';

describe('a discrepancy', () => {
  it('is absent between equal contents, and when both are missing', () => {
    expect(discrepancyOf('pool_a', { name: 'A', vintages: [1, 2] }, { vintages: [1, 2], name: 'A' })).toBeUndefined();
    expect(discrepancyOf('pool_a', undefined, undefined)).toBeUndefined();
  });

  it('shortens long values without splitting a character', () => {
    const { detail = '' } = discrepancyOf('pool_a', { name: '😀'.repeat(500) }, { name: 'B' }) ?? {};
    expect(detail.length).toBeLessThan(200);
    expect(detail).toMatch(/😀…$/u);
  });

  it('is also a version that the topic has not reached', () => {
    const found = [8n, 9n, 10n].map((version) => versionDiscrepancyOf('pool_a', 8n, version)?.kind);
    expect(found).toEqual([undefined, undefined, 'ahead']);
  });
});

describe('the comparison of a library', () => {
  const differing = (record: (comparison: LibraryComparison) => void) => {
    const comparison = new LibraryComparison();
    try {
      record(comparison);
      return { ids: [...comparison.differingIds()], assets: comparison.countAssets() };
    } finally {
      comparison.close();
    }
  };

  it.each<[boolean, object, object, bigint]>([
    [true, { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, 1n],
    [false, { a: [1, 2] }, { a: [2, 1] }, 1n],
    [false, { a: 1 }, { a: 1 }, 2n],
    [false, { a: '1' }, { a: 1 }, 1n],
  ])('compares fields and version, and ignores the order of fields: %s %j', (same, topic, index, version) => {
    const { ids } = differing((comparison) => {
      comparison.recordTopic('pool_a', topic, 1n);
      comparison.recordIndexed('pool_a', index, version);
    });
    expect(ids).toEqual(same ? [] : ['pool_a']);
  });

  it('uses the last content of an id, and reports what is missing on one side', () => {
    const found = differing((comparison) => {
      for (const id of ['pool_a', 'pool_b', 'pool_c', 'pool_d', 'pool_e']) comparison.recordTopic(id, { n: 1 }, 1n);
      comparison.recordTopic('pool_a', { n: 2 }, 2n);
      comparison.recordIndexed('pool_a', { n: 2 }, 2n);
      comparison.recordTopic('pool_b', { n: 2 }, 2n);
      comparison.recordIndexed('pool_b', { n: 1 }, 1n);
      comparison.recordTopic('pool_d', undefined, 2n);
      comparison.recordTopic('pool_e', undefined, 2n);
      comparison.recordIndexed('pool_e', { n: 1 }, 1n);
      comparison.recordIndexed('pool_f', { n: 1 }, 1n);
    });
    expect(found).toEqual({ ids: ['pool_b', 'pool_c', 'pool_e', 'pool_f'], assets: 3 });
  });

  it('finds the one of 100,000 assets that differs', () => {
    const found = differing((comparison) => {
      for (let n = 0; n < 100_000; n += 1) comparison.recordTopic(`proj_${n}`, { n }, 1n);
      for (let n = 100_000 - 1; n >= 0; n -= 1) comparison.recordIndexed(`proj_${n}`, { n: n === 77 ? 78 : n }, 1n);
    });
    expect(found).toEqual({ ids: ['proj_77'], assets: 100_000 });
  });
});

describe('the exit code of verify', () => {
  it.each<[number, Partial<VerifyResult>]>([
    [0, {}],
    [1, { more: 1 }],
    [1, { discrepancies: [{ kind: 'missing', id: 'pool_a', detail: '' }], undecided: 2 }],
    [3, { undecided: 1 }],
  ])('is %d for %j', (code, found) => {
    const nothing = {
      generation: '1a2b3c4d-1',
      assets: 3,
      discrepancies: [],
      surplusNotListed: 0,
      more: 0,
      undecided: 0,
    };
    expect(VERDICT_EXIT[verdictOf({ ...nothing, ...found })]).toBe(code);
  });
});
