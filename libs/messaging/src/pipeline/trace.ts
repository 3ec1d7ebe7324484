import { requestIdOf } from '@carbon/http';
import { contextOf, type RequestContext, runInContext } from '@carbon/observability';
import { REQUEST_ID_HEADER } from '../publish/outgoing-message.js';
import type { Received } from './received.js';
import type { HandleBatch } from './retry.js';
import { type Step, sift } from './run.js';

/** Headers → on whose behalf each message was written, so that a log line here is found from a request there. */
export const trace: Step = (run) => {
  const { messages, letters } = sift(run.messages, withContext);
  return { ...run, messages, letters: [...run.letters, ...letters] };
};

/** Worked out when it is asked for: who does a batch as a whole never asks, and a place in a trace takes random numbers. */
function withContext(message: Received): Received {
  let context: RequestContext | undefined;
  return Object.defineProperty({ ...message }, 'context', {
    get: () => {
      context ??= contextFrom(message.headers);
      return context;
    },
    enumerable: true,
  });
}

/** Runs the handler in the context of its message, or, having several, in one of the batch's own. */
export function inContext(handle: HandleBatch): HandleBatch {
  return (batch) => {
    const [first, ...others] = batch.messages;
    const context = first !== undefined && others.length === 0 ? first.context : contextFrom({});
    return runInContext(context, () => handle(batch));
  };
}

function contextFrom(headers: Readonly<Record<string, string>>) {
  return contextOf(requestIdOf(headers[REQUEST_ID_HEADER]), headers.traceparent);
}
