import type { Screen } from '@carbon/terminal';
import type { StoredGeneration } from '../../index/library-state.js';
import { frontOf, isWhollyLive } from '../../index/precedence.js';
import type { Engines } from '../engines.js';
import { CannotDo, type Verdict } from '../failures.js';
import { grouped } from '../follow-generation.js';
import type { Difference } from './discrepancies.js';
import { judgeSuspects } from './discrepancies.js';
import { findSuspects, foldLibrary, Strays, Suspects } from './find-suspects.js';
import { STANDSTILL_MS, waitUntilTaken } from './read-sources.js';

/** What a verification has found. */
export interface Findings {
  readonly generation: string;
  /** How many assets the topic holds. */
  readonly assets: number;
  readonly differences: readonly Difference[];
  /** How many more documents are surplus that are only counted. */
  readonly unnamed: number;
  /** How many more differ that were not looked at one by one. */
  readonly more: number;
  /** How many changed all the while, or were too many to be looked at, so that nothing can be said about them. */
  readonly undecided: number;
}

/** How far a verification goes. */
export interface Patience {
  /** How long the group may take nothing. Milliseconds. */
  readonly standstillMs: number;
  /** How many suspects are looked at one by one in a round. */
  readonly mostSuspects: number;
  /** How many documents that stand in the wrong index are kept to be named. */
  readonly mostStrays: number;
  /** Rounds, after which what is still suspect is given up on. */
  readonly rounds: number;
}

const PATIENCE: Patience = { standstillMs: STANDSTILL_MS, mostSuspects: 10_000, mostStrays: 10_000, rounds: 5 };

/**
 * Compares what searches see with a fold of the topic, by content. Works while assets are published, in memory for some
 * hundred bytes an asset; a library that is as it should be is read once on either side. When more has changed meanwhile
 * than can be looked at, all is compared anew, without what was found to hold.
 */
export async function verifyLibrary(
  engines: Engines,
  screen: Screen,
  patience: Partial<Patience> = {},
): Promise<Findings> {
  const limits = { ...PATIENCE, ...patience };
  const live = await liveGeneration(engines);
  const cleared = new Set<string>();
  for (let round = 1; ; round += 1) {
    const suspects = new Suspects(limits.mostSuspects, cleared);
    const strays = new Strays(limits.mostStrays);
    const found = await compare(engines, live, { suspects, strays }, screen, limits);
    if (found.differences.length > 0 || suspects.more === 0) return { ...found, more: suspects.more };
    // Nothing of what was looked at differs, so nothing speaks for it that the rest does.
    if (round >= limits.rounds) return { ...found, undecided: found.undecided + suspects.more, more: 0 };
  }
}

/** One round. What it looked at and found to hold is added to what is cleared. */
async function compare(
  engines: Engines,
  live: StoredGeneration,
  { suspects, strays }: { readonly suspects: Suspects; readonly strays: Strays },
  screen: Screen,
  { standstillMs }: Patience,
): Promise<Omit<Findings, 'more'>> {
  const indexHasTaken = () => {
    const tell = (left: bigint) => screen.show(`${live.name} has ${grouped(left)} messages to take yet`);
    return waitUntilTaken(engines.kafka, live, tell, standstillMs);
  };
  const table = await foldLibrary(engines, screen);
  await indexHasTaken();
  await engines.library.refresh(live);
  const assets = await findSuspects(engines, live, table, { suspects, strays }, screen);
  const judged = await judgeSuspects(engines, live, suspects.ids, indexHasTaken);
  suspects.clear(judged.undecided);
  const differences = [...strays.named, ...judged.differences];
  const unnamed = strays.count - strays.named.length;
  return { generation: live.name, assets, differences, unnamed, undecided: judged.undecided.size };
}

/** Differs when anything does; undecided when nothing does as far as it could be compared, but something could not. */
export function verdictOf({ differences, more, undecided }: Findings): Verdict {
  if (differences.length + more > 0) return 'differs';
  return undecided > 0 ? 'undecided' : 'holds';
}

/** What is printed: at most so many differences, the rest counted, and the sum of it. */
export function report(findings: Findings, lines: number): string[] {
  const { generation, assets, differences, unnamed, more, undecided } = findings;
  const shown = differences.slice(0, lines).map(({ kind, id, detail }) => `${kind} ${id}: ${detail}`);
  const rest = differences.length - shown.length + unnamed;
  const counts = { missing: 0, surplus: unnamed, different: 0, ahead: 0 };
  for (const { kind } of differences) counts[kind] += 1;
  const sum = Object.entries(counts).map(([kind, count]) => `${grouped(count)} ${kind}`);
  return [
    ...shown,
    ...(rest > 0
      ? [`… and ${grouped(rest)} more${unnamed > 0 ? `, ${grouped(unnamed)} of them only counted` : ''}`]
      : []),
    ...(undecided > 0 ? [`${grouped(undecided)} assets changed meanwhile and could not be compared.`] : []),
    verdictOf(findings) !== 'differs'
      ? `It holds${undecided > 0 ? ' as far as it could be compared' : ''}: ${generation} is what the topic says, ${grouped(assets)} assets.`
      : `It differs: ${generation} has ${sum.join(', ')}${more > 0 ? `, and ${grouped(more)} more that may` : ''}, of ${grouped(assets)} assets.`,
  ];
}

async function liveGeneration({ library }: Engines): Promise<StoredGeneration> {
  const state = await library.look();
  const front = frontOf(state);
  if (front && isWhollyLive(front, state)) return front;
  throw new CannotDo('The aliases do not stand for one generation, so there is nothing to compare. Look at `status`.');
}
