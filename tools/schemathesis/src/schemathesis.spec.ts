import { failuresOf, type Report } from './run.js';
import { isLoopback } from './target.js';

describe('schemathesis', () => {
  it('sends requests to this machine only', () => {
    const local = ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'];
    const others = ['http://10.0.0.7:3000', 'http://api.example', 'http://127.0.0.1.example:3000'];
    const hidden = ['http://localhost@api.example', 'http://0.0.0.0:3000', 'localhost'];
    expect([...local, ...others, ...hidden].filter(isLoopback)).toEqual(local);
  });

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
