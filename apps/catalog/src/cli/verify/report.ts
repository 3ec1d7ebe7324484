import { EXIT } from '@carbon/terminal';
import { formatCount } from '../follow-generation.js';
import type { Discrepancy } from './discrepancies.js';

/** The result of a verification. */
export interface VerifyResult {
  readonly generation: string;
  /** The number of assets on the topic. */
  readonly assets: number;
  readonly discrepancies: readonly Discrepancy[];
  /** The number of surplus documents beyond those in `discrepancies`. */
  readonly surplusNotListed: number;
  /** The number of further assets that may differ but were not compared one by one. */
  readonly more: number;
  /** The number of assets that changed during the comparison or exceeded the maximum, so that they are undecided. */
  readonly undecided: number;
}

/** The result of a verification, in a word. */
export type Verdict = 'OK' | 'FAILED' | 'undecided';

/**
 * The exit codes of `verify`. Undecided has its own: as a success it would hide unchecked assets, and as a discrepancy
 * it would raise an alarm for mere updates.
 */
export const VERDICT_EXIT: Readonly<Record<Verdict, number>> = {
  OK: EXIT.done,
  FAILED: EXIT.failed,
  undecided: EXIT.incomplete,
};

/** `FAILED` for any discrepancy; `undecided` for none, if something was not compared. */
export function verdictOf({ discrepancies, more, undecided }: VerifyResult): Verdict {
  if (discrepancies.length + more > 0) return 'FAILED';
  return undecided > 0 ? 'undecided' : 'OK';
}

/** Returns the result for programs, with at most so many discrepancies. */
export function verdictDocument(result: VerifyResult, lines: number): object {
  const { generation, assets, discrepancies, more, undecided } = result;
  const counts = countsOf(result);
  return {
    verdict: verdictOf(result),
    generation,
    assets,
    ...counts,
    more,
    undecided,
    discrepancies: discrepancies.slice(0, lines),
  };
}

/** Returns the lines to print: a maximum number of discrepancies, the number of the others, and a summary. */
export function report(result: VerifyResult, lines: number): string[] {
  const { generation, assets, discrepancies, surplusNotListed, more, undecided } = result;
  const shown = discrepancies.slice(0, lines).map(({ kind, id, detail }) => `${kind} ${id}: ${detail}`);
  const rest = discrepancies.length - shown.length + surplusNotListed;
  const sum = Object.entries(countsOf(result)).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  return [
    ...shown,
    ...(rest > 0
      ? [
          `… and ${formatCount(rest)} more${surplusNotListed > 0 ? `, ${formatCount(surplusNotListed)} of them only counted` : ''}`,
        ]
      : []),
    ...(undecided > 0
      ? [`${formatCount(undecided)} assets could not be compared: changed meanwhile, or too many to compare.`]
      : []),
    verdictOf(result) !== 'FAILED'
      ? `${undecided > 0 ? 'UNDECIDED: as far as it could be compared,' : 'OK:'} ${generation} matches the topic, ${formatCount(assets)} assets.`
      : `FAILED: ${generation} has ${sum.join(', ')}${more > 0 ? `, and ${formatCount(more)} more that may differ` : ''}, of ${formatCount(assets)} assets.`,
  ];
}

function countsOf({ discrepancies, surplusNotListed }: VerifyResult): Record<Discrepancy['kind'], number> {
  const counts = { missing: 0, surplus: surplusNotListed, different: 0, ahead: 0 };
  for (const { kind } of discrepancies) counts[kind] += 1;
  return counts;
}
