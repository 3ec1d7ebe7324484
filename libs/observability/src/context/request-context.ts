import { AsyncLocalStorage } from 'node:async_hooks';
import { continueTrace, type TracePlace } from './trace-parent.js';

/** What everything done for one request, or one message, has in common. It crosses Kafka in the message's headers. */
export interface RequestContext extends TracePlace {
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the request or message being worked on; undefined outside of any. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs `work`, and all it starts, in a context. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The context for work that another part asked for: its request id, and its trace carried on. */
export function contextOf(requestId: string, traceparent?: string): RequestContext {
  return { requestId, ...continueTrace(traceparent) };
}
