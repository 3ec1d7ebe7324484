import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { machineSchema, machineText } from './machine.js';
import { LEGEND, rowSchema, tableOf } from './results.js';

const keptResults = z.object({
  at: z.iso.datetime(),
  /** The checked-out commit; with a `+`, the checkout had uncommitted changes. */
  commit: z.string().default('unknown'),
  machine: machineSchema,
  rounds: z.int(),
  rows: z.array(rowSchema).readonly(),
  /** Sentences on how it was measured, and on what the rows do not show. */
  notes: z.array(z.string()).readonly(),
});

/** The last results of one benchmark, with their time, commit and machine. */
export type KeptResults = z.output<typeof keptResults>;

const file = z.object({ benches: z.record(z.string(), keptResults) });

/** The name of the page, which is written beside the JSON file. */
const PAGE = 'RESULTS.md';

/**
 * Writes the results of one benchmark into a JSON file, and all results of the file into the page beside it. Those of
 * benchmarks that did not run are kept in both.
 * @param order the benchmarks on the page
 */
export function keepResults(path: string, bench: string, taken: KeptResults, order: readonly string[]): void {
  const before = existsSync(path) ? file.parse(JSON.parse(readFileSync(path, 'utf8'))).benches : {};
  const benches = { ...before, [bench]: taken };
  mkdirSync(dirname(path), { recursive: true });
  replace(path, `${JSON.stringify({ benches }, null, 2)}\n`);
  replace(join(dirname(path), PAGE), pageOf(order.flatMap((name) => kept(name, benches[name]))));
}

/** Atomically, because a run may be killed at any time. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

type Named = KeptResults & { readonly name: string };

function kept(name: string, results: KeptResults | undefined): Named[] {
  return results === undefined ? [] : [{ ...results, name }];
}

function pageOf(results: readonly Named[]): string {
  const notes = results.flatMap((one) => one.notes.map((note) => `- ${note}`));
  return `# Results of the benchmarks

Written by \`npm run bench\`; [README.md](README.md) says what each benchmark measures. Medians of the rounds (minimum … maximum). ${LEGEND}

${tableOf(results.flatMap(({ rows }) => rows))}

${notes.join('\n')}

## Runs

| bench | at | commit | rounds | machine |
| --- | --- | --- | --- | --- |
${results.map(runOf).join('\n')}
`;
}

function runOf({ name, at, commit, rounds, machine }: Named): string {
  return `| ${name} | ${at.slice(0, 16).replace('T', ' ')} | ${commit} | ${rounds} | ${machineText(machine)} |`;
}
