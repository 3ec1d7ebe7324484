import type { Bug } from '../bug.js';

/**
 * Has a process believe the database that it finds when it starts. What was announced and is missing in it is decided anew, at
 * another time and another place of the ledger.
 */
export const bug: Bug = {
  name: 'recovery-skipped',
  breaks: 'An outcome that was announced is decided once more after PostgreSQL was put back.',
  edits: [
    {
      file: 'apps/offsets/src/recovery/start-check.ts',
      find: '    if (await this.lacksAny(ranges)) {',
      replace: '    if (this.verified !== undefined && (await this.lacksAny(ranges))) {',
    },
  ],
  fault: 'restore-postgres',
  caughtBy: 'doubled',
};
