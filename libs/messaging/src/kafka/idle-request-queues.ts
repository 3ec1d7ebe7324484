import { createRequire } from 'node:module';

/** What is touched of the queue of a kafkajs connection. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

let isPatched = false;

/**
 * Has kafkajs set no timer for waiting requests where none waits. After every response it would set one to "now minus the time
 * of day", which Node makes 1 ms, and set it again when it fires: each open connection would wake an idle process about 900
 * times a second (https://github.com/tulios/kafkajs/issues/1751). A second call changes nothing.
 */
export function idleRequestQueues(): void {
  if (isPatched) return;
  isPatched = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    prototype: RequestQueue;
  };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this);
  };
}
