import { randomBytes } from 'node:crypto';
import { testSettings } from './test-engines.js';

/**
 * A prefix that nobody else has, for the topics, consumer groups and indices of one test file; it ends with a dash and
 * fits all three. What begins with it is removed when the run ends.
 */
export function freshPrefix(): string {
  return `${runPrefix(testSettings().TEST_RUN ?? 'alone')}${randomBytes(4).toString('hex')}-`;
}

/** What all names of one run begin with. */
export function runPrefix(run: string): string {
  return `test-${run}-`;
}
