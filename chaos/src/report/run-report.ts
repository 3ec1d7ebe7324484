import { Table } from '@carbon/terminal';
import { COUNTS, type Count } from '../judge/counts.js';
import type { ProfileRun } from '../run-profile.js';
import type { FaultResult } from '../run-under-load.js';
import type { Profile } from '../system/shape.js';

/** A run as it is stored: `chaos/results/<profile>-<seed>.json`. */
export interface RunReport {
  readonly profile: Profile;
  readonly seed: number;
  /** The faults that were named; undefined: those of the profile. */
  readonly only?: readonly string[] | undefined;
  /** The commit at the start. */
  readonly commit: string;
  readonly at: string;
  readonly seconds: number;
  readonly passed: boolean;
  readonly counts: Readonly<Record<Count, number>>;
  readonly explainedChanges: number;
  readonly longestPostMs: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly faults: readonly FaultResult[];
  readonly leftOut: ProfileRun['leftOut'];
  readonly examples: Readonly<Record<string, readonly string[]>>;
}

/** The system and the faults. */
export type ReportOptions = Pick<RunReport, 'profile' | 'seed' | 'only' | 'commit'>;

/** Summarizes a run. */
export function reportOf(options: ReportOptions, run: ProfileRun): RunReport {
  const { findings, seconds, explainedChanges, answers, faults, leftOut, longestMs } = run;
  return {
    ...{ ...options, at: new Date().toISOString(), seconds },
    passed: findings.failures.length === 0,
    counts: findings.toJSON(),
    ...{ explainedChanges, longestPostMs: longestMs, answers, faults, leftOut },
    examples: Object.fromEntries(findings.examples),
  };
}

/** Returns a run as text: the counts, the duration of each fault, and examples of failures. */
export function linesOf(report: RunReport, width: number): string[] {
  const counts = Object.entries(report.counts) as [Count, number][];
  const counted = new Table<[Count, number]>(
    [
      { title: 'count', of: ([count]) => count },
      { title: '', of: ([, value]) => value, align: 'right' },
      { title: 'is', of: ([count]) => COUNTS[count], least: 10 },
    ],
    width,
  );
  const injected = new Table<FaultResult>(
    [
      { title: 'fault', of: ({ fault }) => fault },
      { title: 'at s', of: ({ at }) => at, align: 'right' },
      { title: 'lasted ms', of: ({ lastedMs }) => lastedMs, align: 'right' },
      { title: 'recovered ms', of: ({ recoveredMs }) => recoveredMs ?? 'never', align: 'right' },
    ],
    width,
  );
  const examples = Object.entries(report.examples).flatMap(([count, some]) => some.map((text) => `${count}: ${text}`));
  return [
    ...injected.lines(report.faults),
    '',
    ...counted.lines(counts),
    '',
    `longest POST ${report.longestPostMs} ms; changed after a restore or promotion, as docs/restore.md allows: ${report.explainedChanges}`,
    ...report.leftOut.map(({ fault, lacks }) => `skipped: ${fault}, which needs ${lacks.join(' and ')}`),
    ...examples,
    `${report.passed ? 'passed' : 'FAILED'}: ${report.profile}, seed ${report.seed}, ${report.seconds} s, commit ${report.commit}`,
    `again: npm run chaos -- --profile ${report.profile} --seed ${report.seed}${report.only === undefined ? '' : ` --fault ${report.only.join(' ')}`}`,
  ];
}
