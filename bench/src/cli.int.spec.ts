import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'bench-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

const run = (...args: string[]) =>
  new Promise<{ code: number | string | null | undefined; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [CLI, ...args], (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });

describe('the bench command', () => {
  it('measures the criteria against real parsers, prints a table and keeps the results', async () => {
    const file = join(dir, 'results.json');
    const { code, out, err } = await run('criteria', '--seconds', '0.01', '--results', file);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('criteria, 5 clauses: 3 rounds') });
    const rows = out.split('\n').filter((line) => line.startsWith('| criteria |'));
    expect(rows.filter((line) => /lucene|liqe/.test(line))).toHaveLength(8);
    const { rows: kept, machine } = JSON.parse(readFileSync(file, 'utf8')).benches.criteria;
    expect(kept).toHaveLength(rows.length);
    expect(kept[0]).toMatchObject({
      bench: 'criteria',
      unit: 'texts/s',
      goal: { atLeast: 15 },
      ours: { rounds: [expect.any(Number), expect.any(Number), expect.any(Number)] },
    });
    expect(machine.node).toMatch(/^v\d+/);
  });

  it('says in words what is wrong with how it is called', async () => {
    expect(await run('nothing')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Allowed choices are criteria'),
    });
    expect(await run('--rounds', '2')).toMatchObject({
      code: 2,
      err: expect.stringContaining('a whole number from 3'),
    });
  });

  it('explains itself', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: bench') });
  });
});
