import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const CLI = resolve(import.meta.dirname, '../dist/cli.js');
const WITHIN_MS = 10 * 60_000;

/** The report of a run; rejects with what it printed when something was lost. */
async function run(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], { timeout: WITHIN_MS });
  return JSON.parse(stdout);
}

describe('npm run chaos -- --profile smoke', () => {
  it.each([2, 3])(
    'loses, doubles and forgets nothing, with seed %i',
    async (seed) => {
      const report = await run('--profile', 'smoke', '--seed', '2');
      expect(report).toMatchObject({ passed: true, leftOut: [] });
    },
    WITHIN_MS,
  );
});
