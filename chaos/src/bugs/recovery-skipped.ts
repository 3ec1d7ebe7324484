import type { Bug } from '../bug.js';

/**
 * Skips the recovery at the start: missing published outcomes are decided again, at another time and another place of
 * the ledger.
 */
export const bug: Bug = {
  name: 'recovery-skipped',
  breaks: 'A published outcome is decided again after PostgreSQL was restored.',
  edits: [
    {
      file: 'apps/offsets/src/recovery/start-check.ts',
      find: '    if (await this.lacksAny(ranges)) {',
      replace: '    if (this.verifiedState !== undefined && (await this.lacksAny(ranges))) {',
    },
  ],
  fault: 'restore-postgres',
  caughtBy: 'doubled',
};
