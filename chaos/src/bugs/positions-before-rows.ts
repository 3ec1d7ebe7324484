import type { Bug } from '../bug.js';

/**
 * Stores the position in PostgreSQL before the rows, in a separate transaction, and prefers it to the correct one in
 * Kafka. Taking the smaller of the two would hide the bug.
 */
export const bug: Bug = {
  name: 'positions-before-rows',
  breaks: 'A stored position says that the database holds requests that it lacks.',
  edits: [
    {
      file: 'libs/messaging/src/consume/consume-batch.ts',
      find: `        await runPipeline(settings.pipeline, run);
        ownership.checkGeneration();
      } while (`,
      replace: `        ownership.checkGeneration();
      } while (`,
    },
    {
      file: 'libs/messaging/src/consume/consume-batch.ts',
      find: '      await ownership.withHeartbeats(() => settings.commits.commit({ payload, ownership, next }));\n',
      replace: `      await ownership.sleep(200);
      await runPipeline(settings.pipeline, run);
      ownership.checkGeneration();
      await ownership.withHeartbeats(() => settings.commits.commit({ payload, ownership, next }));
`,
    },
    {
      file: 'apps/offsets/src/domain/positions.ts',
      find: 'committed !== undefined && committed < stored ? committed : stored;',
      replace: 'committed !== undefined && committed > stored ? committed : stored;',
    },
  ],
  fault: 'kill-offsets',
  caughtBy: 'lost',
};
