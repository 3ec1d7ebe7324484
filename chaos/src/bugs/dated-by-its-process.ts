import type { Bug } from '../bug.js';

const ROWS = 'apps/offsets/src/persistence/offset-rows.ts';

/**
 * Dates every outcome by the clock of the process, in the row, the ledger and the event, on both paths to `completed`.
 */
export const bug: Bug = {
  name: 'dated-by-its-process',
  breaks: 'A retirement is dated by another clock than that of PostgreSQL.',
  edits: [
    {
      file: ROWS,
      find: `least(appended_at, now()), now(),
         CASE status WHEN 'completed' THEN now() END, CASE status WHEN 'completed' THEN now() END,
         CASE status WHEN 'failed' THEN now() END`,
      replace: `least(appended_at, $14::timestamptz), $14::timestamptz,
         CASE status WHEN 'completed' THEN $14::timestamptz END, CASE status WHEN 'completed' THEN $14::timestamptz END,
         CASE status WHEN 'failed' THEN $14::timestamptz END`,
    },
    { file: ROWS, find: 'SELECT now()::timestamptz(3) AS at', replace: 'SELECT $14::timestamptz(3) AS at' },
    {
      file: ROWS,
      find: 'createdAt.toISOString()),\n    ],',
      replace: 'createdAt.toISOString()),\n      new Date().toISOString(),\n    ],',
    },
    { file: ROWS, find: "const NOW = 'now()';", replace: '' },
    {
      file: ROWS,
      find: 'const transitions = transitionsAlong(from, ...through);',
      replace: `const transitions = transitionsAlong(from, ...through);
  const NOW = \`'\${new Date().toISOString()}'::timestamptz\`;`,
    },
  ],
  fault: 'clock-of-offsets',
  caughtBy: 'fromTheFuture',
};
