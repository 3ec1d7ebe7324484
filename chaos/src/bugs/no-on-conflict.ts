import type { Bug } from '../bug.js';

/**
 * Takes a request that is recorded already for a mistake in it. The primary key still keeps the offset single, so what comes of it
 * is a dead letter for every request that is delivered again. The pause makes sure that some are, after a kill.
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
