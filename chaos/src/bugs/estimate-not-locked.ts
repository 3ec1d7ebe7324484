import type { Bug } from '../bug.js';

/**
 * Checks whether an estimate is used without locking it. The unique index that would prevent a second use is removed
 * too. The pause is between the check and the use.
 */
export const bug: Bug = {
  name: 'estimate-not-locked',
  breaks: 'Two offsets are given their credits by one estimate.',
  edits: [
    {
      file: 'apps/offsets/src/fulfillment/estimate-terms.ts',
      find: 'WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
      replace: 'WHERE id = ANY ($1) ORDER BY id',
    },
    {
      file: 'apps/offsets/src/fulfillment/estimate-terms.ts',
      find: '  for (const offset of named) {',
      replace: `  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const offset of named) {`,
    },
    {
      file: 'apps/offsets/src/persistence/migrations/1795219200001-create-offsets.ts',
      find: 'CREATE UNIQUE INDEX offsets_estimate_once',
      replace: 'CREATE INDEX offsets_estimate_once',
    },
  ],
  fault: 'race-for-estimates',
  caughtBy: 'doubled',
};
