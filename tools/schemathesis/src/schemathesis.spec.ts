import { type Environment, loadConfig } from '@carbon/config';
import { configuration, identitiesDocument } from './run/configuration.js';
import { faultsOf, readReport } from './run/report.js';
import { settings } from './settings.js';

describe('the settings of the command', () => {
  const read = (environment: Environment) => loadConfig(settings, environment);

  it('take an address on this machine only', () => {
    const local = ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'];
    expect(local.map((GATEWAY_URL) => read({ GATEWAY_URL }).GATEWAY_URL)).toEqual(local);
    const elsewhere = ['http://10.0.0.7:3000', 'http://api.example', 'http://127.0.0.1.example:3000'];
    for (const GATEWAY_URL of [...elsewhere, 'http://localhost@api.example', 'http://0.0.0.0:3000'])
      expect(() => read({ GATEWAY_URL })).toThrow('GATEWAY_URL must be an address on this machine');
  });

  it('print no key', () => {
    expect(() => read({ API_KEY: 'a secret one' })).toThrow('API_KEY must be a key');
    expect(() => read({ API_KEY: 'a secret one' })).not.toThrow('secret one');
  });
});

describe('the configuration of a run', () => {
  const both = ['first', 'second'].map((name) => ({ name, key: `key-of-${name}` }));
  const known = { offset: 'off_1', estimate: 'est_1', asset: 'pool_1' };
  const facts = { checksFile: '/checks.py', identitiesFile: '/a place/with "quotes"', known };

  it('bounds redirects, keeps nothing between runs, and names things that are there', () => {
    const text = configuration({ ...facts, identities: [] });
    expect(text).toContain('max-redirects = 0\n');
    expect(text).toContain('database = "none"\n');
    expect(text).not.toContain('auth');
    expect(text).toContain('estimate = { values = ["est_1"] }\n');
    const parameters = '{ "query.id" = { dictionary = "estimate", probability = 0.5 } }';
    expect(text).toContain(`include-operation-id = "getEstimate"\nparameters = ${parameters}\n`);
  });

  it('calls as the first, holds what is the first’s against the others, and has the keys in a file of their own', () => {
    const text = configuration({ ...facts, identities: both });
    expect(text).toContain('path = "/a place/with \\"quotes\\""\nuser = "first"\npeers = ["first","second"]\n');
    expect(text).not.toContain('key-of');
    expect(configuration({ ...facts, identities: both.slice(0, 1) })).not.toContain('peers');
    const fixedHeaders = [{ name: 'Authorization', value: 'Bearer key-of-second' }];
    expect(JSON.parse(identitiesDocument(both)).auth[1]).toEqual({ name: 'second', fixedHeaders });
  });
});

describe('a report', () => {
  const GOOD = {
    ...{ seed: 7, running_time: 61.4, stop_reason: 'completed', complete: true, failures: [], errors: [] },
    operations: { total: 8, selected: 8, tested: 8 },
    phases: { coverage: { status: 'success' }, fuzzing: { status: 'success' } },
    test_cases: { generated: 6_000, with_failures: 0, unique_failures: 0, without_checks: 0, errored: 0 },
  };
  const report = (change: object) => readReport(JSON.stringify({ ...GOOD, added_later: 1, ...change }));
  const failed = { ...GOOD.test_cases, with_failures: 3, unique_failures: 1 };

  it('has no faults when the whole run got the answers that were described, and one for each thing else', () => {
    const rows: [object, string[]][] = [
      [{}, []],
      [{ test_cases: failed }, ['3 cases failed a check']],
      [{ test_cases: { ...GOOD.test_cases, generated: 12 } }, ['12 cases are fewer than 5000']],
      [{ operations: { total: 8, selected: 8, tested: 7 } }, ['7 of 8 operations were tested']],
      [{ operations: null }, ['0 of 0 operations were tested']],
      [{ complete: false, stop_reason: 'interrupted' }, ['the run did not come to its end (interrupted)']],
      [{ errors: [{ title: 'Network Error', count: 2 }] }, ['2 times: Network Error']],
    ];
    expect(rows.map(([change]) => faultsOf(report(change), 5_000))).toEqual(rows.map(([, faults]) => faults));
  });
});
