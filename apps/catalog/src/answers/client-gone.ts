import type { FastifyReply } from 'fastify';

/** Tells when the client has left before it was answered. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('the client has left'));
  });
  return controller.signal;
}
