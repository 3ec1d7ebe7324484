import { failuresOf, type Report } from './run.js';

describe('schemathesis', () => {
  it('passes only a complete run without failures', () => {
    const good: Report = {
      complete: true,
      operations: { selected: 8, tested: 8 },
      test_cases: { generated: 6_000, with_failures: 0 },
      errors: [],
    };
    const failures = (change: Partial<Report>) => failuresOf({ ...good, ...change }, 5_000);
    expect(failures({})).toEqual([]);
    expect(failures({ complete: false })).toEqual(['the run is incomplete']);
    expect(failures({ operations: { selected: 8, tested: 7 } })).toEqual(['7 of 8 operations were tested']);
    expect(failures({ operations: null })).toEqual(['0 of 0 operations were tested']);
    expect(failures({ test_cases: { generated: 12, with_failures: 3 } })).toEqual([
      '12 cases are fewer than 5000',
      '3 cases failed a check',
    ]);
    expect(failures({ errors: [{ title: 'Network Error', count: 2 }] })).toEqual(['Network Error: 2 times']);
  });
});
