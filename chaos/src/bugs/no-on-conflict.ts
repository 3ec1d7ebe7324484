import type { Bug } from '../bug.js';

/**
 * Treats a request that is already recorded as an error. The primary key still keeps the offset unique, so every
 * redelivered request becomes a dead letter. The pause ensures that some are redelivered after a kill.
 */
export const bug: Bug = {
  name: 'no-on-conflict',
  breaks: 'A request that is delivered again is given up as a dead letter.',
  edits: [
    {
      file: 'apps/offsets/src/persistence/offset-rows.ts',
      find: 'ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING',
      replace: 'ORDER BY id RETURNING',
    },
    {
      file: 'apps/offsets/src/receive/receive.controller.ts',
      find: '    return this.recorder.run(arrivals.filter(({ row }) => !completed.has(row)));',
      replace: `    const rejected = await this.recorder.run(arrivals.filter(({ row }) => !completed.has(row)));
    await new Promise((resolve) => setTimeout(resolve, 200));
    return rejected;`,
    },
  ],
  fault: 'kill-offsets',
  caughtBy: 'deadLetters',
};
