import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const CLI = resolve(import.meta.dirname, '../dist/cli.js');
const TIMEOUT_MS = 15 * 60_000;

describe('npm run chaos -- --list --json', () => {
  it('prints a line of JSON for each fault', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, '--list', '--json']);
    const faults = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(faults).toContainEqual(expect.objectContaining({ name: 'kill-gateway', times: { ci: 1, full: 2 } }));
  });
});

describe('npm run chaos -- --profile smoke', () => {
  it(
    'finds nothing lost, doubled, changed or stuck',
    async () => {
      const args = [CLI, '--profile', 'smoke', '--seed', '2', '--json'];
      const report = await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS - 60_000 }).catch(
        (error: { stdout?: string; stderr?: string }) => ({
          stdout: error.stdout || JSON.stringify({ passed: error.stderr }),
        }),
      );
      const { passed, examples, leftOut, faults } = JSON.parse(report.stdout);
      expect({ passed, examples, leftOut }).toEqual({ passed: true, examples: {}, leftOut: [] });
      expect(faults.length).toBeGreaterThan(5);
    },
    TIMEOUT_MS,
  );
});
