import type { Bug } from '../bug.js';

/** Marks events before Kafka has them. Nobody looks for an event that is marked, so what a kill comes before is never announced. */
export const bug: Bug = {
  name: 'marked-before-published',
  breaks: 'An outcome counts as announced before Kafka has confirmed it.',
  edits: [
    {
      file: 'apps/offsets/src/outbox/relay-events.ts',
      find: '    const confirmed = await holding(',
      replace: `    const reached = { fence, positions: [], known: this.positions.all };
    await inHalves(events, (some) => markAnnounced(this.database.query, token, some, reached));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const confirmed = await holding(`,
    },
  ],
  fault: 'kill-all-offsets',
  caughtBy: 'lost',
};
