import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

/** How many of the slowest files are named. */
const NAMED = 10;

/** Writes how many tests passed and failed, and which files took longest, so that a script can say so after all suites. */
export default class TotalsReporter {
  constructor({ rootDir }, { totals, slowest }) {
    this.rootDir = rootDir;
    this.files = { totals, slowest };
  }

  onRunComplete(_contexts, results) {
    // A suite that could not even be loaded holds no failed test, yet it did fail.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    for (const file of Object.values(this.files)) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(this.files.totals, `${JSON.stringify({ passed: results.numPassedTests, failed })}\n`);
    writeFileSync(this.files.slowest, this.slowestOf(results).join(''));
  }

  slowestOf({ testResults }) {
    const seconds = ({ perfStats: { start, end } }) => Math.round((end - start) / 1_000);
    return [...testResults]
      .sort((a, b) => seconds(b) - seconds(a))
      .slice(0, NAMED)
      .map((result) => `${seconds(result)} s ${relative(this.rootDir, result.testFilePath)}\n`);
  }
}
