import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Seconds by file, of those that take longest, as a run of everything ends with naming them. */
const LONG_SPECS = JSON.parse(readFileSync(new URL('long-specs.json', import.meta.url), 'utf8'));

/** What others are taken to need: one of the whole more than one of a part, and that more than one of a rule. */
const USUAL_SECONDS = { slow: 60, e2e: 15, int: 5, unit: 1 };

/**
 * Has the longest specs begin first, by the table where jest remembers nothing (as in CI), so that no worker is left alone
 * with minutes of work when the others have none any more. Jest by itself goes by the size of the files.
 */
export default class LongestFirst extends Sequencer {
  /** What failed the last time goes before all, as ever. */
  sort(tests) {
    const seconds = new Map(super.sort(tests).map((test) => [test, this.secondsOf(test)]));
    const failed = (test) => (this.hasFailed(test) ? 1 : 0);
    return [...seconds.keys()].sort((a, b) => failed(b) - failed(a) || seconds.get(b) - seconds.get(a));
  }

  /** What it took here the last time, else what it took where the table was made, else what its kind takes. */
  secondsOf(test) {
    const { rootDir, displayName } = test.context.config;
    if (test.duration !== undefined) return test.duration / 1_000;
    return LONG_SPECS[relative(rootDir, test.path)] ?? USUAL_SECONDS[displayName?.name] ?? 0;
  }
}
