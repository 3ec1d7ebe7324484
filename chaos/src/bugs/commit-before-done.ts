import type { Bug } from '../bug.js';

/**
 * Moves both positions of a chunk, PostgreSQL's and Kafka's, before it is handled. What a consumer has in hand when it is killed is
 * never read again. Both must move: of two positions the smaller counts.
 */
export const bug: Bug = {
  name: 'commit-before-done',
  breaks: 'A position counts before its messages are recorded.',
  edits: [
    {
      file: 'libs/messaging/src/consume/consume-batch.ts',
      find: `        await runPipeline(settings.pipelineOf(topic), run);
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
      await runPipeline(settings.pipelineOf(topic), run);
`,
    },
  ],
  fault: 'kill-offsets',
  caughtBy: 'lost',
};
