import { CommandError, type ProgressReporter } from '@carbon/terminal';
import { TYPES } from '../../index/generation.js';
import type { StoredGeneration } from '../../index/library-state.js';
import { highestLive, isFullyLive } from '../../index/precedence.js';
import { typeOfId, versionOf } from '../../ingest/asset-operation.js';
import type { Engines } from '../engines.js';
import { formatCount } from '../follow-generation.js';
import { confirmDiscrepancies, type Discrepancy } from './discrepancies.js';
import { LibraryComparison } from './library-comparison.js';
import { readIndex, readLibrary, STALL_MS, waitUntilConsumed } from './read-sources.js';
import type { VerifyResult } from './report.js';

/** The limits of a verification. */
export interface VerifyLimits {
  /** The time without progress of the group after which it fails. Milliseconds. */
  readonly stallMs: number;
  /** The maximum number of assets that are compared one by one in a round, so that memory is bounded. */
  readonly maxCandidates: number;
  /** The maximum number of documents in the wrong index that are listed. */
  readonly maxMisplaced: number;
  /** The number of rounds after which the rest is undecided. */
  readonly rounds: number;
}

const LIMITS: VerifyLimits = { stallMs: STALL_MS, maxCandidates: 10_000, maxMisplaced: 10_000, rounds: 5 };

/**
 * Compares what searches see with the last message of each key in the topic, by content. Works while assets are published, in bounded memory;
 * a correct library is read once on either side. If more than `maxCandidates` assets have changed meanwhile, another
 * round compares everything again, except for what was found equal.
 */
export async function verifyLibrary(
  engines: Engines,
  reporter: ProgressReporter,
  options: Partial<VerifyLimits> = {},
): Promise<VerifyResult> {
  const limits = { ...LIMITS, ...options };
  const live = await liveGeneration(engines);
  const equalIds = new Set<string>();
  for (let number = 1; ; number += 1) {
    const found = await compare(engines, live, reporter, limits, equalIds);
    if (found.discrepancies.length > 0 || found.more === 0) return found;
    // Nothing that was compared differs, so the rest may be equal too: it is undecided.
    if (number >= limits.rounds) return { ...found, undecided: found.undecided + found.more, more: 0 };
  }
}

/** Runs one round. @param equalIds found equal by earlier rounds; this round adds its own */
async function compare(
  engines: Engines,
  live: StoredGeneration,
  reporter: ProgressReporter,
  limits: VerifyLimits,
  equalIds: Set<string>,
): Promise<VerifyResult> {
  const waitUntilIndexed = () => {
    const onWait = (left: bigint) => reporter.progress(`${live.name} has ${formatCount(left)} messages left`);
    return waitUntilConsumed(engines.kafka, live, onWait, limits.stallMs);
  };
  const comparison = new LibraryComparison();
  const misplaced: Discrepancy[] = [];
  const candidates = new Set<string>();
  let [surplusNotListed, more, assets] = [0, 0, 0];
  try {
    await foldTopic(engines, comparison, reporter);
    await waitUntilIndexed();
    await engines.library.refresh(live);
    await foldIndex(engines, live, comparison, reporter, (id, index) => {
      const detail = `it does not belong in ${index}`;
      if (misplaced.length < limits.maxMisplaced) misplaced.push({ kind: 'surplus', id, detail });
      else surplusNotListed += 1;
    });
    assets = comparison.countAssets();
    for (const id of comparison.differingIds()) {
      if (equalIds.has(id)) continue;
      if (candidates.size < limits.maxCandidates) candidates.add(id);
      else more += 1;
    }
  } finally {
    comparison.close();
  }
  const { discrepancies, undecided } = await confirmDiscrepancies(engines, live, candidates, waitUntilIndexed);
  for (const id of candidates) if (!undecided.has(id)) equalIds.add(id);
  const all = [...misplaced, ...discrepancies];
  return { generation: live.name, assets, discrepancies: all, surplusNotListed, more, undecided: undecided.size };
}

async function foldTopic({ kafka }: Engines, comparison: LibraryComparison, reporter: ProgressReporter): Promise<void> {
  let read = 0;
  await readLibrary(kafka, ({ id, position, document }) => {
    comparison.recordTopic(id, document, versionOf(position));
    read += 1;
    if (read % 1_000 === 0) reporter.progress(`${formatCount(read)} messages of the topic read`);
  });
}

/** @param onMisplaced called for each document whose id is not of the index's type, which is wrong in any case */
async function foldIndex(
  { openSearch }: Engines,
  { indices }: StoredGeneration,
  comparison: LibraryComparison,
  reporter: ProgressReporter,
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
      reporter.progress(`${formatCount(read)} documents of the index read`);
    }
  }
}

async function liveGeneration({ library }: Engines): Promise<StoredGeneration> {
  const state = await library.readState();
  const live = highestLive(state);
  if (live && isFullyLive(live, state)) return live;
  throw new CommandError(
    'The aliases do not both point to the same generation, so there is nothing to compare. Run `npm run catalog -- status`.',
  );
}
