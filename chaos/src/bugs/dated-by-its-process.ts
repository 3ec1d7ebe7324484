import type { Bug } from '../bug.js';

const STRAIGHT = 'apps/offsets/src/fulfillment/straight-through.ts';
const INSERT = 'apps/offsets/src/fulfillment/insert-completed.ts';
const MOVE = 'apps/offsets/src/persistence/move-to.ts';

/** Dates every outcome by the clock of the process, in the row, the ledger and the event alike, whichever way it came. */
export const bug: Bug = {
  name: 'dated-by-its-process',
  breaks: 'A retirement is dated by another clock than that of PostgreSQL.',
  edits: [
    { file: STRAIGHT, find: 'return row.now;', replace: 'return new Date();' },
    {
      file: STRAIGHT,
      find: 'await insertCompleted(query, completed);',
      replace: 'await insertCompleted(query, completed, now);',
    },
    {
      file: INSERT,
      find: 'insertCompleted(query: Query, offsets: readonly NewlyCompleted[]): Promise<void>',
      replace: 'insertCompleted(query: Query, offsets: readonly NewlyCompleted[], now: Date): Promise<void>',
    },
    {
      file: INSERT,
      find: 'least(appended_at, now()), now(), now(), now()',
      replace: 'least(appended_at, $10::timestamptz), $10::timestamptz, $10::timestamptz, $10::timestamptz',
    },
    {
      file: INSERT,
      find: 'appendedAt.toISOString()),\n    ],',
      replace: 'appendedAt.toISOString()),\n      now.toISOString(),\n    ],',
    },
    { file: MOVE, find: "const NOW = 'now()';", replace: '' },
    {
      file: MOVE,
      find: 'const moves = movesAlong(from, ...through);',
      replace: `const moves = movesAlong(from, ...through);
  const NOW = \`'\${new Date().toISOString()}'::timestamptz\`;`,
    },
  ],
  fault: 'clock-of-offsets',
  caughtBy: 'fromTheFuture',
};
