import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The number of slowest files that are written. */
const NAMED = 10;

/**
 * Writes how many tests of a lane passed and failed, and its slowest files, so that a script can print them after all lanes.
 * `npm run test:slow` is the lane `slow`, everything else the lane `main`; each has its own two files.
 */
export default class TotalsReporter {
  constructor({ rootDir }, { totals, slowest }) {
    this.rootDir = rootDir;
    this.folders = { totals, slowest };
  }

  onRunComplete(contexts, results) {
    const isSlow = [...contexts].every(({ config }) => config.displayName?.name === 'slow');
    const lane = isSlow ? 'slow' : 'main';
    // A suite that could not be loaded has no failed test, but counts as failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    for (const folder of Object.values(this.folders)) mkdirSync(folder, { recursive: true });
    const totals = { passed: results.numPassedTests, failed };
    writeFileSync(join(this.folders.totals, `${lane}.json`), `${JSON.stringify(totals)}\n`);
    writeFileSync(join(this.folders.slowest, lane), this.slowestOf(results).join(''));
  }

  slowestOf({ testResults }) {
    const seconds = ({ perfStats: { start, end } }) => Math.round((end - start) / 1_000);
    return [...testResults]
      .sort((a, b) => seconds(b) - seconds(a))
      .slice(0, NAMED)
      .map((result) => `${seconds(result)} s ${relative(this.rootDir, result.testFilePath)}\n`);
  }
}
