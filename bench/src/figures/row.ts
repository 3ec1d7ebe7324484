import { type Spread, spreadOf } from './spread.js';

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
