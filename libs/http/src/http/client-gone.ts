import type { ServerResponse } from 'node:http';

/** Tells when the client has left before it was answered in full. */
export function clientGone({ raw }: { readonly raw: ServerResponse }): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('the client has left'));
  });
  return controller.signal;
}
