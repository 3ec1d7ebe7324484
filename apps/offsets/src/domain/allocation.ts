import { costMicros } from '@carbon/contracts';
import type { Terms } from './estimate.js';
import { ESTIMATE_USED, type Failure } from './failure.js';
import type { Line, PricedLine } from './line.js';
import type { Preference } from './preference.js';
import { Shelf, type Supply } from './shelf.js';

/** Who asks for how much: an offset, or an estimate that is being made. */
export interface Demand {
  readonly offset: string;
  readonly grams: bigint;
  /** What an estimate holds for it, or why the one it names does not; undefined: it names none. */
  readonly terms?: Terms | Failure | undefined;
}

/** So many lines are enough for one batch: the statements that write them have a few seconds, whatever is queued. */
export const ENOUGH_LINES = 5_000;

/** An offset that gets all of its grams, and what they cost together. */
export interface Served {
  readonly offset: string;
  readonly lines: readonly Line[];
  readonly costMicros: bigint;
}

/** All of the offset's grams, or none and the reason. */
export type Decision = Served | { readonly offset: string; readonly failure: Failure };

/**
 * Decides, demand by demand in the order given, which assets give how many grams. Each is served in full or fails, and
 * one that fails takes nothing, so a smaller one behind it can still be served. Never gives more than is available, nor
 * two offsets their credits by one estimate. Once `enough` lines are given the demands behind are left undecided.
 */
export function allocate(
  demands: readonly Demand[],
  supplies: readonly Supply[],
  { compare }: Pick<Preference, 'compare'>,
  enough: number = ENOUGH_LINES,
): Decision[] {
  const shelf = new Shelf([...supplies].sort(compare));
  const used = new Set<string>();
  const decisions: Decision[] = [];
  let given = 0;
  for (const demand of demands) {
    if (given >= enough) break;
    const decision = decide(demand, shelf, used);
    if ('lines' in decision) given += decision.lines.length;
    decisions.push(decision);
  }
  return decisions;
}

function decide({ offset, grams, terms }: Demand, shelf: Shelf, used: Set<string>): Decision {
  const taken = terms === undefined ? shelf.take(grams) : takeOnTerms(shelf, terms, used);
  if ('code' in taken) return { offset, failure: taken };
  const lines = taken.map(priced);
  return { offset, lines, costMicros: lines.reduce((sum, line) => sum + line.costMicros, 0n) };
}

/** One that fails leaves its estimate to the next one that names it. */
function takeOnTerms(shelf: Shelf, terms: Terms | Failure, used: Set<string>): readonly PricedLine[] | Failure {
  if ('code' in terms) return terms;
  if (used.has(terms.estimate)) return ESTIMATE_USED;
  const taken = shelf.takeExactly(terms.lines);
  if (!('code' in taken)) used.add(terms.estimate);
  return taken;
}

function priced({ asset, grams, priceMicros }: PricedLine): Line {
  return { asset, grams, priceMicros, costMicros: costMicros(grams, priceMicros) };
}
