import { countsOf, faultsOf, readReport } from './report.js';

const GOOD = {
  seed: 7,
  running_time: 61.4,
  stop_reason: 'completed',
  complete: true,
  operations: { total: 8, selected: 8, tested: 8 },
  phases: { coverage: { status: 'success' }, fuzzing: { status: 'success' } },
  test_cases: { generated: 6_000, with_failures: 0, unique_failures: 0, without_checks: 0, errored: 0 },
  failures: [],
  errors: [],
};
const report = (change: object) => readReport(JSON.stringify({ ...GOOD, added_later: 1, ...change }));
const failed = { ...GOOD.test_cases, with_failures: 3, unique_failures: 1 };

describe('a report', () => {
  it('of a whole run in which every answer was as described has no faults', () => {
    expect(faultsOf(report({}), 5_000)).toEqual([]);
  });

  it.each([
    ['a case failed', { test_cases: failed }, '3 cases failed a check'],
    ['too little was asked', { test_cases: { ...GOOD.test_cases, generated: 12 } }, '12 cases are fewer than 5000'],
    [
      'an operation was left out',
      { operations: { total: 8, selected: 8, tested: 7 } },
      '7 of 8 operations were tested',
    ],
    ['nothing was asked', { operations: null }, '0 of 0 operations were tested'],
    [
      'it was broken off',
      { complete: false, stop_reason: 'interrupted' },
      'the run did not come to its end (interrupted)',
    ],
    ['it could not ask', { errors: [{ title: 'Network Error', count: 2 }] }, '2 times: Network Error'],
  ])('has a fault when %s', (_, change, fault) => {
    expect(faultsOf(report(change), 5_000)).toEqual([fault]);
  });

  it('counts cases, and each kind of failure', () => {
    const failures = [{ title: 'Undocumented HTTP status code', count: 3, operations: ['GET /v1/offsets'] }];
    const counts = countsOf(report({ test_cases: failed, failures })).join('\n');
    expect(counts).toContain('operations  8 of 8');
    expect(counts).toContain('coverage success, fuzzing success');
    expect(counts).toContain('cases       6000 in 61 s, seed 7');
    expect(counts).toContain('failed      3 (1 different)');
    expect(counts).toContain('3 × Undocumented HTTP status code');
  });
});
