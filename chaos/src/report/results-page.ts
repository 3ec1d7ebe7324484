import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { INFORMATION } from '../judge/counts.js';
import type { RunReport } from './run-report.js';

const CHAOS = resolve(import.meta.dirname, '../..');
const RESULTS = join(CHAOS, 'results');
const PAGE = join(CHAOS, 'RESULTS.md');

/** The files that a run writes, relative to the checkout. */
export const WRITTEN = ['chaos/results', 'chaos/RESULTS.md'];

/** The parts of a report that the page shows; a report of an older version may lack newer counts. */
const keptReport = z.object({
  profile: z.string(),
  seed: z.int(),
  commit: z.string(),
  at: z.iso.datetime(),
  seconds: z.number(),
  passed: z.boolean(),
  counts: z.record(z.string(), z.number()),
  longestPostMs: z.number(),
  faults: z.array(z.object({ fault: z.string(), recoveredMs: z.number().optional() })),
});
type KeptReport = z.output<typeof keptReport>;

/** Writes a run as JSON, replacing an older one with the same profile and seed, and regenerates the page. */
export function keep(report: RunReport): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${report.profile}-${report.seed}.json`), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(keptReports()));
}

function keptReports(): readonly KeptReport[] {
  const files = readdirSync(RESULTS).filter((file) => /^(smoke|ci|full)-\d+\.json$/.test(file));
  return files.sort().map((file) => keptReport.parse(JSON.parse(readFileSync(join(RESULTS, file), 'utf8'))));
}

function pageOf(reports: readonly KeptReport[]): string {
  return `# Results of the chaos runs

Written by \`npm run chaos -- --keep\`; [README.md](README.md) defines the counts. The counts from *lost* to *ledger* must be 0.

| profile | seed | commit | at | s | faults | accepted | lost | doubled | changed | stuck | 404 | ledger | longest POST ms | slowest recovery ms | |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
${reports.map(rowOf).join('\n')}

## Recovery by fault

Milliseconds from the last repair until offsets are accepted and completed again and searches are complete.

${recoveriesOf(reports)}
`;
}

function rowOf({ profile, seed, commit, at, seconds, faults, counts, longestPostMs, passed }: KeptReport): string {
  const slowest = Math.max(0, ...faults.map(({ recoveredMs }) => recoveredMs ?? Number.POSITIVE_INFINITY));
  const { accepted, lost, doubled, changed, stuck, notFound, conservation } = counts;
  const figures = [accepted, lost, doubled, changed, stuck, notFound, conservation, longestPostMs, slowest];
  const cells = [profile, seed, commit, at.slice(0, 10), seconds, faults.length, ...figures];
  const failures = Object.entries(counts).filter(([count, value]) => value > 0 && !INFORMATION.includes(count));
  const failed = `**failed**: ${failures.map(([count, value]) => `${count} ${value}`).join(', ')}`;
  return `| ${cells.join(' | ')} | ${passed ? 'passed' : failed} |`;
}

function recoveriesOf(reports: readonly KeptReport[]): string {
  const faults = new Set(reports.flatMap((report) => report.faults.map(({ fault }) => fault)));
  const titles = reports.map(({ profile, seed }) => `${profile} ${seed}`);
  const rows = [...faults].sort().map((fault) => {
    const cells = reports.map((report) => {
      const times = report.faults.filter((one) => one.fault === fault);
      return times.map(({ recoveredMs }) => recoveredMs ?? 'never').join(', ');
    });
    return `| ${[fault, ...cells].join(' | ')} |`;
  });
  return [`| fault | ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length + 1)}`, ...rows].join('\n');
}
