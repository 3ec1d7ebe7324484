import { z } from 'zod';
import { mayPass } from '../open-search/refusal.js';

const item = z.object({
  status: z.int(),
  error: z.object({ type: z.string() }).optional(),
});

/** All of the answer to `_bulk` that is read; the whole of it would be as long as the question. */
export const BULK_ANSWER_PATHS = 'errors,items.*.status,items.*.error.type';

/** The answer to `_bulk`: an item for every operation, in order, to be read with {@link bulkItems} where any failed. */
export const bulkAnswer = z.object({ errors: z.boolean(), items: z.array(z.unknown()) });

const bulkItem = z.union([
  z.object({ index: item }).transform(({ index }) => index),
  z.object({ delete: item }).transform((it) => it.delete),
]);

/** Reads the items of either kind of operation. */
export function bulkItems(items: readonly unknown[]): BulkItem[] {
  return items.map((one) => bulkItem.parse(one));
}

export type BulkItem = z.output<typeof item>;

/**
 * What became of one operation. `done`: the index is as new as the message or newer. `wait`: not now. `gone`: the index
 * itself is away. `rejected`: OpenSearch will never take this document.
 */
export type Outcome = 'done' | 'wait' | 'gone' | 'rejected';

/** Told by status and reason: only some of what is not 2xx is a failure. */
export function outcomeOf({ status, error }: BulkItem): Outcome {
  if (status >= 200 && status < 300) return 'done';
  // A newer version stands there already, or the document to delete does not.
  if (status === 409 && error?.type === 'version_conflict_engine_exception') return 'done';
  if (status === 404) return error === undefined ? 'done' : 'gone';
  // A full disk, a broken translog, a node on its way out: whatever is 5xx is the engine's affair, and no reason to give
  // a message up.
  return status >= 500 || mayPass(status, error?.type ?? '') ? 'wait' : 'rejected';
}
