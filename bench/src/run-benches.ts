import type { Bench, BenchOptions } from './bench.js';
import { benchCriteria } from './criteria/bench-criteria.js';
import { machine, machineText } from './figures/machine.js';
import { keepResults } from './figures/results-file.js';
import { tableOf } from './figures/table.js';

/** What can be measured, in the order in which it is. */
export const BENCHES = {
  criteria: benchCriteria,
} as const satisfies Record<string, Bench>;

export type BenchName = keyof typeof BENCHES;

/** Measures one after the other, keeps what was found in a file, and gives it back in Markdown. */
export async function runBenches(
  names: readonly BenchName[],
  options: BenchOptions,
  resultsFile: string,
): Promise<string> {
  const before = machine();
  const rows = [];
  const notes = [];
  for (const name of names) {
    const findings = await BENCHES[name](options);
    const taken = { at: new Date().toISOString(), machine: before, rounds: options.rounds, ...findings };
    keepResults(resultsFile, name, taken);
    rows.push(...findings.rows);
    notes.push(...findings.notes);
  }
  const how = `Medians of ${options.rounds} rounds (least … most), both sides in turns. ${machineText(before)}.`;
  return `${tableOf(rows)}\n\n${how}\n${notes.map((note) => `- ${note}\n`).join('')}`;
}
