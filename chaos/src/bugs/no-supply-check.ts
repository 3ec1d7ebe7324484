import type { Bug } from '../bug.js';

/**
 * Retires the lines of an estimate without checking that each asset still has enough credits. The CHECK constraint that would
 * reject the transaction is removed too.
 */
export const bug: Bug = {
  name: 'no-supply-check',
  breaks: 'More credits of an asset are retired than there are.',
  edits: [
    {
      file: 'apps/offsets/src/domain/inventory.ts',
      find: 'stock !== undefined && stock.available >= grams ?',
      replace: 'stock !== undefined ?',
    },
    {
      file: 'apps/offsets/src/persistence/migrations/1795219200002-create-supply.ts',
      find: 'supply_not_oversold CHECK (issued >= reserved + retired)',
      replace: 'supply_not_oversold CHECK (issued >= 0)',
    },
  ],
  fault: 'race-for-supply',
  caughtBy: 'conservation',
};
