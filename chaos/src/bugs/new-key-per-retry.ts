import type { Bug } from '../bug.js';

/**
 * Sends an external registry a second order, under another key, for an offset that an earlier attempt may have retired.
 */
export const bug: Bug = {
  name: 'new-key-per-retry',
  breaks: 'A registry retires the credits of one offset twice.',
  edits: [
    {
      file: 'apps/offsets/src/registry/http-registry.ts',
      find: 'const known = order.isRecovered || order.attempt > 1 ?',
      replace: 'const known = order.isRecovered ?',
    },
    {
      file: 'apps/offsets/src/registry/http-registry.ts',
      find: `'idempotency-key': order.offset,`,
      replace: `'idempotency-key': \`\${order.offset}.\${order.attempt}\`,`,
    },
  ],
  fault: 'freeze-offsets',
  caughtBy: 'doubled',
  shape: { registry: true },
};
