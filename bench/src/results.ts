import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type Spread, spreadOf } from './statistics.js';

/** How ours is set beside the baseline: by how many times, or by how much more; or not at all. */
export type Comparison = 'ratio' | 'difference' | 'none';

/** What the comparison must reach, or may not exceed. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the table. */
export interface Row {
  /** The name of the bench that has found it. */
  readonly bench: string;
  readonly what: string;
  /** Of both sides, and of their difference: what is counted, such as `assets/s`, or `ms`. */
  readonly unit: string;
  /** The program that ours is set beside. */
  readonly against?: string;
  readonly ours: Spread;
  readonly baseline?: Spread;
  readonly comparison: Comparison;
  /** Of a line without a baseline, ours. */
  readonly compared: Spread;
  readonly goal?: Goal;
  /** Whether the median of the comparison meets the goal; absent where none is set. */
  readonly met?: boolean;
}

/** A line that nothing is set beside. */
export interface MeasuredAlone extends Pick<Row, 'bench' | 'what' | 'unit' | 'goal'> {
  /** One figure a round. */
  readonly ours: readonly number[];
}

/** A line before its rounds are set side by side. */
export interface Measured extends MeasuredAlone {
  readonly against: string;
  readonly comparison?: Exclude<Comparison, 'none'>;
  /** The figures of the same rounds. */
  readonly baseline: readonly number[];
}

/**
 * Compares each round with itself before the median is taken, so that what slows down both sides of a round alike does
 * not count. @throws RangeError when the sides have not as many rounds
 */
export function rowOf({ ours, baseline, comparison = 'ratio', ...rest }: Measured): Row {
  if (ours.length !== baseline.length) throw new RangeError('Both sides need a figure for every round.');
  const compare = (a: number, b: number) => (comparison === 'ratio' ? a / b : a - b);
  const compared = spreadOf(ours.map((figure, round) => compare(figure, baseline[round] ?? Number.NaN)));
  return {
    ...rest,
    ours: spreadOf(ours),
    baseline: spreadOf(baseline),
    comparison,
    compared,
    ...(rest.goal && { met: meets(compared.median, rest.goal) }),
  };
}

/** Holds the figures themselves against the goal: how long something may take, for whoever waits. */
export function rowAlone({ ours, ...rest }: MeasuredAlone): Row {
  const all = spreadOf(ours);
  const met = rest.goal && { met: meets(all.median, rest.goal) };
  return { ...rest, ours: all, comparison: 'none', compared: all, ...met };
}

function meets(figure: number, goal: Goal): boolean {
  return 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost;
}

const HEAD = ['bench', 'what', 'ours', 'baseline', 'compared', 'goal', 'met'];

/** How the table is to be read. */
export const LEGEND =
  'Compared: ours ÷ baseline (×), or ours − baseline (+), within each round, then the median. Of rates (/s) more is better, of everything else less.';

/** The rows as a Markdown table: medians, and the least and the most of all rounds in brackets. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(row: Row): string[] {
  const { bench, what, against, ours, baseline, compared, comparison, unit, goal, met } = row;
  return [
    bench,
    what,
    `${withSpread(ours, figure)} ${unit}`,
    baseline === undefined ? '–' : `${withSpread(baseline, figure)} ${unit}, ${against}`,
    baseline === undefined ? '–' : withSpread(compared, (value) => comparedText(value, comparison, unit)),
    goal === undefined ? '–' : goalText(goal, comparison, unit),
    met === undefined ? '–' : met ? 'yes' : 'no',
  ].map((cell) => cell.replaceAll('|', '\\|'));
}

function withSpread({ median, min, max }: Spread, text: (value: number) => string): string {
  return `${text(median)} (${text(min)} … ${text(max)})`;
}

function comparedText(value: number, comparison: Comparison, unit: string): string {
  if (comparison === 'ratio') return `${figure(value)} ×`;
  if (comparison === 'none') return `${figure(value)} ${unit}`;
  return `${value < 0 ? '−' : '+'}${figure(Math.abs(value))} ${unit}`;
}

function goalText(goal: Goal, comparison: Comparison, unit: string): string {
  const [sign, value] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost];
  return `${sign} ${comparedText(value, comparison, unit)}`;
}

/** Three digits that count, and no more: the spread shows that the rest would be noise. */
export function figure(value: number): string {
  const digits = Number(value.toPrecision(3));
  return digits.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: 'min2' });
}

/** What one bench has found. */
export interface Findings {
  readonly rows: readonly Row[];
  /** Sentences on how it was measured, and what the rows do not show. */
  readonly notes: readonly string[];
}

/** The same with when and where. */
export interface Taken extends Findings {
  readonly at: string;
  readonly machine: Machine;
  readonly rounds: number;
}

const file = z.object({ benches: z.record(z.string(), z.unknown()) });

/** Writes what one bench has found into the file; what others have found stays in it. */
export function keepResults(path: string, bench: string, taken: Taken): void {
  const benches = existsSync(path) ? file.parse(JSON.parse(readFileSync(path, 'utf8'))).benches : {};
  const text = JSON.stringify({ benches: { ...benches, [bench]: taken } }, null, 2);
  mkdirSync(dirname(path), { recursive: true });
  // Whole or not at all: a run may be ended at any time.
  writeFileSync(`${path}.new`, `${text}\n`);
  renameSync(`${path}.new`, path);
}

/** What the figures were taken on, as far as others may know it. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly system: string;
  /** Processes that ran or waited to, on the average of the minute before: above `cores`, others were at work too. */
  readonly loadBefore: number;
}

/** The machine as it is now. */
export function machine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
}

/** The same in a sentence. */
export function machineText({ cores, processor, memoryGb, node, system, loadBefore }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGb} GB, ${system}, node ${node}; load before ${loadBefore}`;
}
