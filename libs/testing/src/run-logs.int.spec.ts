import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CANARY, copyLogs, findLeaks, makeLogFolder, removeCleanLogs, testLog } from './run-logs.js';
import { testSettings } from './test-engines.js';

describe('the logs of a test run', () => {
  it('are collected in one folder: those of apps in the test process, and those of each system that was started', () => {
    testLog('run-logs-test').write('a line\n');
    const system = mkdtempSync(join(tmpdir(), 'logs-of-a-system-'));
    const part = randomUUID();
    writeFileSync(join(system, `${part}.log`), 'a line\n');
    writeFileSync(join(system, `${part}.log.1`), 'an older line\n');
    copyLogs(system);
    copyLogs(system);
    rmSync(system, { recursive: true });
    const names = readdirSync(testSettings().TEST_LOGS ?? '');
    expect(names).toContain(`run-logs-test-${process.pid}.log`);
    expect(names.filter((name) => name.includes(part))).toHaveLength(4);
  });

  it('fail the run and are kept if one contains a forbidden text, which the error locates; otherwise they are removed', () => {
    const folder = makeLogFolder();
    writeFileSync(join(folder, 'offsets.log'), `fine\n{"reason":"${CANARY}"}\n`);
    expect(() => removeCleanLogs(folder)).toThrow(`${folder}/offsets.log:2 holds a marked value of test data`);
    expect(readdirSync(folder)).toEqual(['offsets.log']);
    writeFileSync(join(folder, 'offsets.log'), 'fine\n');
    removeCleanLogs(folder);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });
});

describe('a log line', () => {
  const line = (fields: object) => JSON.stringify({ level: 'info', app: 'gateway', ...fields, message: 'request' });

  it.each([
    [{ requestId: 'r-1', method: 'POST', route: '/v1/offsets', status: 202, ms: 1.5 }],
    [{ err: { message: 'Send a valid key, as "Authorization: Bearer <key>"' } }],
    [{ id: 'cl_live_2B4cD6eF8h', reason: 'revoked' }],
  ])('may contain %j', (fields) => expect(findLeaks('gateway.log', line(fields))).toEqual([]));

  it.each([
    ['a customer’s reference', line({ reason: `cannot record ${CANARY}` }), 'a marked value of test data'],
    ['a key', line({ id: 'cl_live_2B4cD6eF8h_9kLmN0pQrS' }), 'an API key'],
    ['a key in a URL', line({ path: '/v1/cl%5Flive%5F2B4cD6eF8h%5F9kLmN0pQrS' }), 'an API key'],
    ['a header', line({ err: { message: 'authorization: Bearer abcdefghijkl' } }), 'an Authorization header'],
    ['a body', line({ body: { kgCO2e: 1 } }), 'a field of a body or a header'],
    ['a body as text', line({ reason: '{"customerRef":"u-1"}' }), 'a field of a body or a header'],
    ['a body in a text', line({ reason: JSON.stringify({ is: '{"kgCO2e": 1}' }) }), 'a field of a body or a header'],
    ['a dropped field', line({ dropped: ['topics'] }), 'a field that is not in LOG_FIELDS and was dropped'],
    ['a URL with a password', 'FATAL postgresql://carbon:hunter2@127.0.0.1:5432/carbon', 'a secret'],
    ['a secret', line({ reason: 'ID_SECRETS=an-id-secret-of-at-least-32-characters' }), 'a secret'],
  ])('may not contain %s', (_, leaking, what) => {
    const leaks = findLeaks('gateway.log', `${line({})}\n${leaking}\n`);
    expect(leaks.map((leak) => `${leak.line}: ${leak.what}`)).toEqual([`2: ${what}`]);
  });
});
