import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'bench-test-'));
const benchesIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).benches;

afterAll(() => rmSync(dir, { recursive: true }));

const run = (...args: string[]) =>
  new Promise<{ code: number | string | null | undefined; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [CLI, ...args], (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });

describe('the bench command', () => {
  it('runs the criteria benchmark against real parsers, prints a table and writes the results', async () => {
    const file = join(dir, 'results.json');
    const { code, out, err } = await run('criteria', '--seconds', '0.01', '--results', file);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('criteria, 5 clauses: 3 rounds') });
    const rows = out.split('\n').filter((line) => line.startsWith('| criteria |'));
    expect(rows.filter((line) => /lucene|liqe/.test(line))).toHaveLength(8);
    const { rows: kept, machine } = benchesIn(file).criteria;
    expect(kept).toHaveLength(rows.length);
    const ours = { rounds: [expect.any(Number), expect.any(Number), expect.any(Number)] };
    expect(kept[0]).toMatchObject({ bench: 'criteria', unit: 'texts/s', goal: { atLeast: 15 }, ours });
    expect(machine.node).toMatch(/^v\d+/);
  });

  it.each([
    [['nothing'], 2, 'Allowed choices are criteria'],
    [['--rounds', '0'], 2, 'a whole number from 1'],
    [['--help'], 0, 'Usage: bench'],
  ])('prints its help or a usage error: %j', async (args, code, words) => {
    const answer = await run(...args);
    expect({ code: answer.code, said: answer.out + answer.err }).toEqual({
      code,
      said: expect.stringContaining(words),
    });
  });
});
