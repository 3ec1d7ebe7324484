import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testSettings } from '../test-settings.js';
import { CANARY } from './canary.js';
import { keepLogs, makeLogFolder, searchLogs, testLog } from './run-logs.js';

describe('the logs of a test run', () => {
  it('lie in one folder: those of apps within tests, and those of each system, kept', () => {
    testLog('run-logs-test').write('a line\n');
    const system = mkdtempSync(join(tmpdir(), 'logs-of-a-system-'));
    const part = randomUUID();
    writeFileSync(join(system, `${part}.log`), 'a line\n');
    writeFileSync(join(system, `${part}.log.1`), 'an older line\n');
    keepLogs(system);
    keepLogs(system);
    const names = readdirSync(testSettings().TEST_LOGS ?? '');
    expect(names).toContain(`run-logs-test-${process.pid}.log`);
    expect(names.filter((name) => name.includes(part))).toHaveLength(4);
  });

  it('fail the run with the line when one holds what it must not, and are left to be looked at', () => {
    const folder = makeLogFolder();
    writeFileSync(join(folder, 'offsets.log'), `fine\n{"reason":"${CANARY}"}\n`);
    expect(() => searchLogs(folder)).toThrow(`${folder}/offsets.log:2 holds a marked value of test data`);
    expect(readdirSync(folder)).toEqual(['offsets.log']);
  });

  it('are removed when there is nothing in them', () => {
    const folder = makeLogFolder();
    writeFileSync(join(folder, 'offsets.log'), 'fine\n');
    searchLogs(folder);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });
});
