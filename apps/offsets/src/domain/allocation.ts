import { costMicros } from '@carbon/contracts';
import type { EstimateTerms } from './estimate.js';
import { ESTIMATE_USED, type Failure } from './failure.js';
import { Inventory, type Supply } from './inventory.js';
import { BATCH_LINES, type PricedLine } from './line.js';
import type { Preference } from './preference.js';

/** A demand for credits by weight: an offset, or an estimate. */
interface WeightedOffset {
  readonly grams: bigint;
}

/** An offset that gets all of its grams, and what they cost together, in micro-dollars. */
export interface Allocated<O> {
  readonly offset: O;
  readonly lines: readonly PricedLine[];
  readonly costMicros: bigint;
}

/** An offset that gets nothing, and why. */
export interface Unallocated<O> {
  readonly offset: O;
  readonly failure: Failure;
}

/** What was decided about one offset. */
export type Allocation<O> = Allocated<O> | Unallocated<O>;

/** By offset: what its estimate holds for it, or why it holds nothing. Offsets without an estimate are missing. */
export type TermsByOffset<O> = ReadonlyMap<O, EstimateTerms | Failure>;

/**
 * Decides, offset by offset in the order given, which assets give how many grams. Each offset is served in full or fails, and
 * one that fails takes nothing, so a smaller one behind it can still be served. Never gives more than is available, nor
 * credits to two offsets by one estimate. Once `maxLines` lines are allocated, the remaining offsets are left undecided.
 */
export function allocateCredits<O extends WeightedOffset>(
  offsets: readonly O[],
  supplies: readonly Supply[],
  { compare }: Pick<Preference, 'compare'>,
  terms: TermsByOffset<O> = new Map(),
  maxLines: number = BATCH_LINES,
): Allocation<O>[] {
  const inventory = new Inventory([...supplies].sort(compare));
  const used = new Set<string>();
  const allocations: Allocation<O>[] = [];
  let allocated = 0;
  for (const offset of offsets) {
    if (allocated >= maxLines) break;
    const own = terms.get(offset);
    const taken = own === undefined ? inventory.take(offset.grams) : takeFromEstimate(inventory, own, used);
    if ('code' in taken) {
      allocations.push({ offset, failure: taken });
      continue;
    }
    allocated += taken.length;
    allocations.push({ offset, lines: taken, costMicros: costOf(taken) });
  }
  return allocations;
}

/** The cost of lines, each rounded by itself, in micro-dollars. */
export function costOf(lines: readonly PricedLine[]): bigint {
  return lines.reduce((sum, { grams, priceMicros }) => sum + costMicros(grams, priceMicros), 0n);
}

/** An offset that fails leaves its estimate to the next one that names it. */
function takeFromEstimate(
  inventory: Inventory,
  terms: EstimateTerms | Failure,
  used: Set<string>,
): readonly PricedLine[] | Failure {
  if ('code' in terms) return terms;
  if (used.has(terms.estimate)) return ESTIMATE_USED;
  const taken = inventory.takeExactly(terms.lines);
  if (!('code' in taken)) used.add(terms.estimate);
  return taken;
}
