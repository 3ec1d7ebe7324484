import type { Bug } from '../bug.js';

/**
 * Swaps the aliases to a generation as soon as it receives messages: it may lack what is on the topic, and the
 * comparison with the live one has its sides exchanged. Each batch takes a second, so that it stays empty for longer
 * than responses are cached.
 */
export const bug: Bug = {
  name: 'alias-moved-early',
  breaks: 'Searches see a generation of the index that does not hold the whole library yet.',
  edits: [
    {
      file: 'apps/catalog/src/index/cut-over.ts',
      find: 'if (!consumerOf(next)?.hasCaughtUp(topic.committed.get(next.group) ?? [])) return false;',
      replace: 'if (consumerOf(next) === undefined) return false;',
    },
    {
      file: 'apps/catalog/src/index/cut-over.ts',
      find: 'hasReached(await committedPositions(this.kafka, next.group, LIBRARY_TOPIC), shown)',
      replace: 'hasReached(shown, await committedPositions(this.kafka, next.group, LIBRARY_TOPIC))',
    },
    {
      file: 'apps/catalog/src/index/generation-consumers.ts',
      find: '(batch) => write(batch, generation));',
      replace: `async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return write(batch, generation);
    });`,
    },
  ],
  fault: 'rebuild-index',
  caughtBy: 'missing',
};
