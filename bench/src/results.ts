import { z } from 'zod';
import { type Spread, spreadOf, spreadSchema } from './statistics.js';

/** The schema of a {@link Row} in the file of results. */
export const rowSchema = z.object({
  /** The name of the benchmark. */
  bench: z.string(),
  what: z.string(),
  /** The unit of both variants, and of their difference, such as `assets/s`, or `ms`. */
  unit: z.string(),
  /** The baseline program. */
  against: z.string().optional(),
  ours: spreadSchema,
  baseline: spreadSchema.optional(),
  /** How ours is compared with the baseline: by ratio, by difference, or not at all. */
  comparison: z.enum(['ratio', 'difference', 'none']),
  /** Of a row without a baseline, ours. */
  compared: spreadSchema,
  goal: z.union([z.object({ atLeast: z.number() }), z.object({ atMost: z.number() })]).optional(),
  /** Whether the median of the comparison meets the goal; absent without one. */
  met: z.boolean().optional(),
});

/** One row of the table. */
export type Row = Readonly<z.output<typeof rowSchema>>;

/** The minimum or the maximum of the comparison. */
export type Goal = NonNullable<Row['goal']>;

type Comparison = Row['comparison'];

/** A row without a baseline. */
export interface MeasuredAlone extends Pick<Row, 'bench' | 'what' | 'unit' | 'goal'> {
  /** One value per round. */
  readonly ours: readonly number[];
}

/** The values of a row before its rounds are compared. */
export interface Measured extends MeasuredAlone {
  readonly against: string;
  readonly comparison?: Exclude<Comparison, 'none'>;
  /** The values of the same rounds. */
  readonly baseline: readonly number[];
}

/** The measurements of both variants, by round. */
export type Compared<T> = Readonly<Record<'ours' | 'baseline', readonly T[]>>;

/** Returns one value of each measurement. */
export function valuesOf<K extends string>(
  { ours, baseline }: Compared<Readonly<Record<K, number>>>,
  value: K,
): Compared<number> {
  return { ours: ours.map((one) => one[value]), baseline: baseline.map((one) => one[value]) };
}

/**
 * Compares the variants within each round before it takes the median, so that a slow round affects both equally.
 * @throws RangeError if the numbers of rounds differ
 */
export function rowOf({ ours, baseline, comparison = 'ratio', ...rest }: Measured): Row {
  if (ours.length !== baseline.length) throw new RangeError('Both variants need a value for every round.');
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

/** Compares the values themselves with the goal: a maximum duration. */
export function rowAlone({ ours, ...rest }: MeasuredAlone): Row {
  const all = spreadOf(ours);
  const met = rest.goal && { met: meets(all.median, rest.goal) };
  return { ...rest, ours: all, comparison: 'none', compared: all, ...met };
}

function meets(figure: number, goal: Goal): boolean {
  return 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost;
}

const HEAD = ['bench', 'what', 'ours', 'baseline', 'compared', 'goal', 'met'];

/** The legend of the table. */
export const LEGEND =
  'Compared: ours ÷ baseline (×), or ours − baseline (+), within each round, then the median. Of rates (/s) more is better, of everything else less.';

/** Returns the rows as a Markdown table: medians, with the minimum and maximum of all rounds in brackets. */
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

/** Three significant digits: the spread shows that more would be noise. */
export function figure(value: number): string {
  const digits = Number(value.toPrecision(3));
  return digits.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: 'min2' });
}

/** The results of one benchmark. */
export interface Findings {
  readonly rows: readonly Row[];
  /** Sentences on how it was measured, and on what the rows do not show. */
  readonly notes: readonly string[];
}
