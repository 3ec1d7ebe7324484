import type { Screen } from '@carbon/terminal';
import { TYPES } from '../../index/generation.js';
import type { StoredGeneration } from '../../index/library-state.js';
import { frontOf, isWhollyLive } from '../../index/precedence.js';
import { typeOfId, versionOf } from '../../ingest/asset-operation.js';
import type { Engines } from '../engines.js';
import { CannotDo, type Verdict } from '../failures.js';
import { grouped } from '../follow-generation.js';
import { confirmDiscrepancies, type Discrepancy } from './discrepancies.js';
import { LibraryComparison } from './library-comparison.js';
import { readIndex, readLibrary, STANDSTILL_MS, waitUntilTaken } from './read-sources.js';

/** What a verification has found. */
export interface Findings {
  readonly generation: string;
  /** How many assets the topic holds. */
  readonly assets: number;
  readonly discrepancies: readonly Discrepancy[];
  /** How many more documents are surplus that are only counted. */
  readonly unnamed: number;
  /** How many more differ that were not looked at one by one. */
  readonly more: number;
  /** How many changed all the while, or were too many to be looked at, so that nothing can be said about them. */
  readonly undecided: number;
}

/** How far a verification goes. */
export interface VerifyLimits {
  /** How long the group may take nothing. Milliseconds. */
  readonly standstillMs: number;
  /** How many assets that may differ are looked at one by one in a round, so that this takes bounded memory. */
  readonly maxCandidates: number;
  /** How many documents in the wrong index are kept to be named. */
  readonly maxMisplaced: number;
  /** Rounds, after which what may still differ is given up on. */
  readonly rounds: number;
}

const LIMITS: VerifyLimits = { standstillMs: STANDSTILL_MS, maxCandidates: 10_000, maxMisplaced: 10_000, rounds: 5 };

/** What one round works on. */
interface Round {
  readonly engines: Engines;
  readonly live: StoredGeneration;
  readonly screen: Screen;
  readonly limits: VerifyLimits;
  /** Ids that an earlier round looked at and found to be as the topic says. */
  readonly cleared: Set<string>;
}

/**
 * Compares what searches see with a fold of the topic, by content. Works while assets are published, in little memory; a
 * library that is as it should be is read once on either side. When more has changed meanwhile than can be looked at, all
 * is compared anew, without what was found to hold.
 */
export async function verifyLibrary(
  engines: Engines,
  screen: Screen,
  options: Partial<VerifyLimits> = {},
): Promise<Findings> {
  const limits = { ...LIMITS, ...options };
  const round: Round = { engines, live: await liveGeneration(engines), screen, limits, cleared: new Set() };
  for (let number = 1; ; number += 1) {
    const found = await compare(round);
    if (found.discrepancies.length > 0 || found.more === 0) return found;
    // Nothing of what was looked at differs, so nothing speaks for it that the rest does.
    if (number >= limits.rounds) return { ...found, undecided: found.undecided + found.more, more: 0 };
  }
}

/** One round. What it looked at and found to hold is added to what is cleared. */
async function compare({ engines, live, screen, limits, cleared }: Round): Promise<Findings> {
  const indexHasTaken = () => {
    const onWait = (left: bigint) => screen.show(`${live.name} has ${grouped(left)} messages to take yet`);
    return waitUntilTaken(engines.kafka, live, onWait, limits.standstillMs);
  };
  const comparison = new LibraryComparison();
  const misplaced: Discrepancy[] = [];
  const candidates = new Set<string>();
  let [unnamed, more, assets] = [0, 0, 0];
  try {
    await foldTopic(engines, comparison, screen);
    await indexHasTaken();
    await engines.library.refresh(live);
    await foldIndex(engines, live, comparison, screen, (id, index) => {
      const detail = `it does not belong into ${index}`;
      if (misplaced.length < limits.maxMisplaced) misplaced.push({ kind: 'surplus', id, detail });
      else unnamed += 1;
    });
    assets = comparison.countAssets();
    for (const id of comparison.differingIds()) {
      if (cleared.has(id)) continue;
      if (candidates.size < limits.maxCandidates) candidates.add(id);
      else more += 1;
    }
  } finally {
    comparison.close();
  }
  const { discrepancies, undecided } = await confirmDiscrepancies(engines, live, candidates, indexHasTaken);
  for (const id of candidates) if (!undecided.has(id)) cleared.add(id);
  const all = [...misplaced, ...discrepancies];
  return { generation: live.name, assets, discrepancies: all, unnamed, more, undecided: undecided.size };
}

async function foldTopic({ kafka }: Engines, comparison: LibraryComparison, screen: Screen): Promise<void> {
  let read = 0;
  await readLibrary(kafka, ({ id, position, document }) => {
    comparison.recordTopic(id, document, versionOf(position));
    read += 1;
    if (read % 1_000 === 0) screen.show(`${grouped(read)} messages of the topic read`);
  });
}

/** @param onMisplaced called for each document whose id is not of the index's type: it is wrong whatever the topic says */
async function foldIndex(
  { openSearch }: Engines,
  { indices }: StoredGeneration,
  comparison: LibraryComparison,
  screen: Screen,
  onMisplaced: (id: string, index: string) => void,
): Promise<void> {
  let read = 0;
  for (const type of TYPES) {
    for await (const documents of readIndex(openSearch, indices[type])) {
      for (const { id, document, version } of documents) {
        if (typeOfId(id) === type) comparison.recordIndexed(id, document, version);
        else onMisplaced(id, indices[type]);
      }
      read += documents.length;
      screen.show(`${grouped(read)} documents of the index read`);
    }
  }
}

/** Differs when anything does; undecided when nothing does as far as it could be compared, but something could not. */
export function verdictOf({ discrepancies, more, undecided }: Findings): Verdict {
  if (discrepancies.length + more > 0) return 'differs';
  return undecided > 0 ? 'undecided' : 'holds';
}

/** What is printed: at most so many discrepancies, the rest counted, and the sum of it. */
export function report(findings: Findings, lines: number): string[] {
  const { generation, assets, discrepancies, unnamed, more, undecided } = findings;
  const shown = discrepancies.slice(0, lines).map(({ kind, id, detail }) => `${kind} ${id}: ${detail}`);
  const rest = discrepancies.length - shown.length + unnamed;
  const counts = { missing: 0, surplus: unnamed, different: 0, ahead: 0 };
  for (const { kind } of discrepancies) counts[kind] += 1;
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
