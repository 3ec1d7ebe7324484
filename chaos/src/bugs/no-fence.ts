import type { Bug } from '../bug.js';

/**
 * Disables the fence, so that a process that outlives a restore decides on the older database, at places of the ledger
 * that were already published for others. The checks that would end the process come later or not at all.
 */
export const bug: Bug = {
  name: 'no-fence',
  breaks: 'A process decides on a database that it has not verified.',
  edits: [
    {
      file: 'apps/offsets/src/persistence/fence.ts',
      find: `single AND NOT recovering AND epoch = $\${first + 1}::bigint AND \${SERVER} = $\${first}::text)\``,
      replace: `single AND $\${first + 1}::bigint IS NOT NULL AND $\${first}::text IS NOT NULL)\``,
    },
    {
      file: 'apps/offsets/src/recovery/start-check.ts',
      find: 'await sleep(POLL_MS, this.stopping.signal);',
      replace: 'await sleep(30 * POLL_MS, this.stopping.signal);',
    },
    {
      file: 'apps/offsets/src/recovery/request-position-tracker.ts',
      find: 'await sleep(POLL_MS, this.stopping.signal);',
      replace: 'await sleep(30 * POLL_MS, this.stopping.signal);',
    },
    {
      file: 'apps/offsets/src/recovery/request-position-tracker.ts',
      find: 'if (ranges.some(({ partition }) => !stored.has(partition))) throw this.end(olderDatabase());',
      replace: '',
    },
    {
      file: 'apps/offsets/src/recovery/request-position-tracker.ts',
      find: `if (position === undefined) return 'again';`,
      replace: 'if (position === undefined) return undefined;',
    },
  ],
  fault: 'restore-postgres',
  caughtBy: 'conservation',
};
