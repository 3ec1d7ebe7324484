import type { Bug } from '../bug.js';

/** Responds with 202 while the request is only in the memory of the gateway, for a fifth of a second at least. */
export const bug: Bug = {
  name: 'answered-before-confirmed',
  breaks: 'An offset is accepted before Kafka has it.',
  edits: [
    {
      file: 'apps/gateway/src/offsets/offsets.service.ts',
      find: '      await this.publisher.publish(requestMessage(event));',
      replace: `      const message = requestMessage(event);
      setTimeout(() => void this.publisher.publish(message).catch(() => {}), 200);`,
    },
  ],
  fault: 'kill-gateway',
  caughtBy: 'lost',
};
