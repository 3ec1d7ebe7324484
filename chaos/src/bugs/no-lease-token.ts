import type { Bug } from '../bug.js';

/**
 * Has a worker that slept through its lease complete offsets which another has taken over and completed. Two defences go with it:
 * the guard of moves, and that the reservations, which are gone by then, must make up the whole weight. The ledger and the event
 * stay as they are, but the offset is completed at another time. The pause leaves some answers unwritten when the worker freezes.
 */
export const bug: Bug = {
  name: 'no-lease-token',
  breaks: 'A worker that has lost its lease still writes.',
  edits: [
    {
      file: 'apps/offsets/src/retire/complete-offsets.ts',
      find: 'WHERE id = ANY ($1) AND lease_token = ANY ($2)',
      replace: 'WHERE id = ANY ($1) AND $2::uuid[] IS NOT NULL',
    },
    {
      file: 'apps/offsets/src/retire/complete-offsets.ts',
      find: '  await writeCompletion(',
      replace: `  if (lines.length === 0) return [];
  await writeCompletion(`,
    },
    {
      file: 'apps/offsets/src/persistence/migrations/1795219200011-moves-at-once.ts',
      find: `('processing', 'failed')\`;`,
      replace: `('processing', 'failed'), ('completed', 'completed')\`;`,
    },
    {
      file: 'apps/offsets/src/retire/ask-registry.ts',
      find: '      await this.writeDown({',
      replace: `      await sleep(200);
      await this.writeDown({`,
    },
  ],
  fault: 'freeze-offsets',
  caughtBy: 'changed',
  shape: { registry: true },
};
