import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutLargeLogs, rotateLogs } from './log-rotation.js';

const dir = mkdtempSync(join(tmpdir(), 'logs-'));
const read = (name: string) => readFileSync(join(dir, name), 'utf8');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the logs', () => {
  it('of the last run are moved aside, over those of the run before it', () => {
    writeFileSync(join(dir, 'kafka.previous.log'), 'long ago');
    writeFileSync(join(dir, 'kafka.log'), 'last run');
    rotateLogs(dir).stop();
    expect(readdirSync(dir)).toEqual(['kafka.previous.log']);
    expect(read('kafka.previous.log')).toBe('last run');
  });

  it('that have grown too large are copied aside and emptied, the others not', () => {
    writeFileSync(join(dir, 'kafka.log'), 'x'.repeat(101));
    writeFileSync(join(dir, 'postgres.log'), 'x'.repeat(100));
    cutLargeLogs(dir, 100);
    expect(read('kafka.log')).toBe('');
    expect(read('kafka.previous.log')).toHaveLength(101);
    expect(read('postgres.log')).toHaveLength(100);
  });
});
