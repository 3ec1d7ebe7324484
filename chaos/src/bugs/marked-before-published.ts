import type { Bug } from '../bug.js';

/**
 * Marks events before they are published. No relay looks for a marked event, so it is lost if the process is killed in
 * between.
 */
export const bug: Bug = {
  name: 'marked-before-published',
  breaks: 'An outcome counts as published before Kafka has confirmed it.',
  edits: [
    {
      file: 'apps/offsets/src/outbox/outbox-relay.ts',
      find: '    const confirmed = await withLease(',
      replace: `    const known = this.positions.stored;
    await splitIfTooLarge(rows, (some) => markPublished(this.database.query, { fence, token, rows: some }, [], known));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const confirmed = await withLease(`,
    },
  ],
  fault: 'kill-all-offsets',
  caughtBy: 'lost',
};
