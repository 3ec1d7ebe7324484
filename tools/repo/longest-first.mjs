import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Durations of the slowest files in seconds, as a full run prints them at its end. */
const LONG_SPECS = JSON.parse(readFileSync(new URL('long-specs.json', import.meta.url), 'utf8'));

/** The assumed duration of a file that is not in the table, by lane. */
const USUAL_SECONDS = { slow: 60, e2e: 15, int: 5, unit: 1 };

/**
 * Starts the longest specs first, so that no worker has minutes of work left when the others are done. Without a jest cache,
 * as in CI, the durations come from the table. Jest itself would sort by file size.
 */
export default class LongestFirst extends Sequencer {
  /** Files that failed in the last run are first, as in jest. */
  sort(tests) {
    const seconds = new Map(super.sort(tests).map((test) => [test, this.secondsOf(test)]));
    const failed = (test) => (this.hasFailed(test) ? 1 : 0);
    return [...seconds.keys()].sort((a, b) => failed(b) - failed(a) || seconds.get(b) - seconds.get(a));
  }

  /** The duration of the last run here, else that in the table, else that of the lane. */
  secondsOf(test) {
    const { rootDir, displayName } = test.context.config;
    if (test.duration !== undefined) return test.duration / 1_000;
    return LONG_SPECS[relative(rootDir, test.path)] ?? USUAL_SECONDS[displayName?.name] ?? 0;
  }
}
