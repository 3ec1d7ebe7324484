import type { Bug } from '../bug.js';

/**
 * Commits both positions of a chunk, PostgreSQL's and Kafka's, before it is handled. A killed consumer loses the
 * messages in progress. Both must be committed early, because the smaller one counts.
 */
export const bug: Bug = {
  name: 'commit-before-done',
  breaks: 'A position counts before its messages are recorded.',
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
      find: '      from = next;\n',
      replace: `      from = next;
      await ownership.sleep(200);
      await runPipeline(settings.pipeline, run);
`,
    },
  ],
  fault: 'kill-offsets',
  caughtBy: 'lost',
};
