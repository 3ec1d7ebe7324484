import { checkedOutCommit } from '@carbon/local';
import { benchAccept } from './accept/bench-accept.js';
import { benchIndex } from './bench-index.js';
import { benchPublish } from './bench-publish.js';
import { benchComplete } from './complete/bench-complete.js';
import { benchConsole } from './console/bench-console.js';
import { benchCriteria } from './criteria/bench-criteria.js';
import { benchDrain } from './drain/bench-drain.js';
import { benchFootprint } from './footprint/bench-footprint.js';
import { benchGrowth } from './growth/bench-growth.js';
import { benchLibrary } from './growth/bench-library.js';
import { keepResults } from './kept-results.js';
import { benchKeyed } from './keyed/bench-keyed.js';
import { benchList } from './list/bench-list.js';
import { machine, machineText } from './machine.js';
import { benchParallel } from './parallel/bench-parallel.js';
import { benchRead } from './read/bench-read.js';
import { type Findings, LEGEND, tableOf } from './results.js';
import { benchSearch } from './search/bench-search.js';
import { type Bench, type BenchOptions, openStage, type Stage } from './stage.js';
import { benchStart } from './start/bench-start.js';
import { benchSustained } from './sustained/bench-sustained.js';

/** The benchmarks, in the order in which they run. */
export const BENCHES = {
  criteria: benchCriteria,
  // Before the others start their engines.
  start: benchStart,
  console: benchConsole,
  search: benchSearch,
  index: benchIndex,
  publish: benchPublish,
  list: benchList,
  growth: benchGrowth,
  library: benchLibrary,
  read: benchRead,
  accept: benchAccept,
  keyed: benchKeyed,
  sustained: benchSustained,
  footprint: benchFootprint,
  drain: benchDrain,
  parallel: benchParallel,
  complete: benchComplete,
} as const satisfies Record<string, Bench>;

export type BenchName = keyof typeof BENCHES;

/** Benchmarks that run only when they are named, because filling their store takes minutes. */
export const EXCLUDED_BY_DEFAULT: readonly BenchName[] = ['list', 'growth', 'library'];

/** Each round of these takes a minute or two. */
const MAX_ROUNDS: Readonly<Partial<Record<BenchName, number>>> = { start: 3, index: 3, sustained: 3, footprint: 3 };

const WRITTEN = ['bench/results.json', 'bench/RESULTS.md'];

/** Runs the benchmarks one after the other, writes the results to a file and a page beside it, and returns them as Markdown. */
export async function runBenches(
  names: readonly BenchName[],
  options: BenchOptions,
  resultsFile: string,
): Promise<string> {
  const before = machine();
  const commit = checkedOutCommit(WRITTEN);
  const taken: Findings[] = [];
  let stage: Promise<Stage> | undefined;
  const openOnce = () => (stage ??= openStage(options));
  try {
    for (const name of names) {
      const rounds = Math.min(options.rounds, MAX_ROUNDS[name] ?? options.rounds);
      const findings = await BENCHES[name]({ ...options, rounds }, openOnce);
      const when = { at: new Date().toISOString(), commit, machine: before, rounds };
      keepResults(resultsFile, name, { ...when, ...findings }, Object.keys(BENCHES));
      taken.push(findings);
    }
  } finally {
    await stage?.then((open) => open.close());
  }
  const how = `Medians of at most ${options.rounds} rounds (least … most), both sides in turns. ${LEGEND}\n${machineText(before)}.`;
  const notes = taken.flatMap((findings) => findings.notes.map((note) => `- ${note}\n`));
  return `${tableOf(taken.flatMap(({ rows }) => rows))}\n\n${how}\n${notes.join('')}`;
}
