import type { Bug } from '../bug.js';

/** Marks events before Kafka has them. Nobody looks for an event that is marked, so what a kill comes before is never announced. */
export const bug: Bug = {
  name: 'marked-before-published',
  breaks: 'An outcome counts as announced before Kafka has confirmed it.',
  edits: [
    {
      file: 'apps/offsets/src/outbox/outbox-relay.ts',
      find: '    const confirmed = await holding(',
      replace: `    const known = this.positions.stored;
    await inHalves(rows, (some) => markPublished(this.database.query, { fence, token, rows: some }, [], known));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const confirmed = await holding(`,
    },
  ],
  fault: 'kill-all-offsets',
  caughtBy: 'lost',
};
