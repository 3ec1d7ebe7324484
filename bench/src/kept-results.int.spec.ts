import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepResults } from './kept-results.js';
import { machine } from './machine.js';
import { rowOf } from './results.js';

const dir = mkdtempSync(join(tmpdir(), 'bench-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('the files of results', () => {
  it('keep the results of other benchmarks, and replace previous results of this one', () => {
    const file = join(dir, 'new-folder', 'results.json');
    const found = (bench: string, figure: number) => {
      const row = rowOf({ bench, what: 'w', unit: '/s', against: 'a', ours: [figure], baseline: [1] });
      const notes = [`A note on ${bench}.`];
      const when = { at: '2026-01-02T03:04:05.000Z', commit: `c${figure}`, machine: machine(), rounds: 1 };
      keepResults(file, bench, { ...when, rows: [row], notes }, ['other', 'one', 'never run']);
    };
    found('one', 1);
    // Written as null.
    found('other', Number.NaN);
    found('one', 3);
    expect(JSON.parse(readFileSync(file, 'utf8')).benches).toMatchObject({
      one: { rows: [{ ours: { median: 3 } }] },
      other: { rows: [{ ours: { median: null } }] },
    });
    const page = readFileSync(join(dir, 'new-folder', 'RESULTS.md'), 'utf8').split('\n');
    expect(page.filter((line) => /^\| (one|other) |^- /.test(line))).toEqual([
      '| other | w | NaN (NaN … NaN) /s | 1 (1 … 1) /s, a | NaN × (NaN × … NaN ×) | – | – |',
      '| one | w | 3 (3 … 3) /s | 1 (1 … 1) /s, a | 3 × (3 × … 3 ×) | – | – |',
      '- A note on other.',
      '- A note on one.',
      expect.stringMatching(/^\| other \| 2026-01-02 03:04 \| cNaN \| 1 \| \d+ cores/),
      expect.stringMatching(/^\| one \| 2026-01-02 03:04 \| c3 \| 1 \| \d+ cores/),
    ]);
  });
});
