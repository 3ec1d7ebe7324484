import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes how many tests passed and failed, so that a script can say the true totals after all suites. */
export default class TotalsReporter {
  constructor(_globalConfig, { file }) {
    this.file = file;
  }

  onRunComplete(_contexts, results) {
    // A suite that could not even be loaded holds no failed test, yet it did fail.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, `${JSON.stringify({ passed: results.numPassedTests, failed })}\n`);
  }
}
