import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine } from './machine.js';
import { keepResults, type Taken } from './results-file.js';
import { rowOf } from './row.js';

const dir = mkdtempSync(join(tmpdir(), 'bench-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

const taken = (ours: number): Taken => ({
  at: '2026-01-02T03:04:05.000Z',
  machine: machine(),
  rounds: 1,
  rows: [rowOf({ bench: 'one', what: 'w', unit: '/s', against: 'a', ours: [ours], baseline: [1] })],
  notes: [],
});

it('keeps what other benches have found, and replaces what this one found before', () => {
  const file = join(dir, 'new-folder', 'results.json');
  keepResults(file, 'one', taken(1));
  keepResults(file, 'other', taken(2));
  keepResults(file, 'one', taken(3));
  const { benches } = JSON.parse(readFileSync(file, 'utf8'));
  expect(Object.keys(benches)).toEqual(['one', 'other']);
  expect(benches.one.rows[0].ours.median).toBe(3);
  expect(benches.other.rows[0].ours.median).toBe(2);
});
