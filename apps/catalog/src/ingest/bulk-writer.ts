import type { RejectedMessage } from '@carbon/messaging';
import { z } from 'zod';
import { isOutage, type OpenSearch } from '../open-search/open-search.js';
import { mayPass, Outage, Refusal } from '../open-search/refusal.js';
import { guardLines, type Operation } from './asset-operation.js';

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

/** The index that is written to no longer exists: this generation cannot be fed any more. */
export class IndexGone extends Error {
  override readonly name = 'IndexGone';
}

/**
 * Writes operations with one `_bulk` call. All that are done stay done: whoever gets an error gives all of them again, and
 * the versions make that harmless. (The client's own bulk helper tries again on 429 only and drops the rest.)
 */
export class BulkWriter {
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly deadlineMs: number,
  ) {}

  /**
   * @returns the operations that OpenSearch will never take
   * @throws Outage when any of them cannot be done now
   * @throws IndexGone when an index is not there
   */
  async write(operations: readonly Operation[]): Promise<RejectedMessage[]> {
    if (operations.length === 0) return [];
    const { errors, items } = await this.bulk(operations.map(({ lines }) => lines).join('') + guardLines(operations));
    if (items.length < operations.length) throw new Outage(true, new Error('not an item for each operation'));
    return errors ? rejectedOf(operations, bulkItems(items.slice(0, operations.length))) : [];
  }

  private async bulk(lines: string) {
    try {
      // Without it OpenSearch may create an index that is missing, whatever its mapping.
      const query = { filter_path: BULK_ANSWER_PATHS, require_alias: true };
      return await this.openSearch.ask({ method: 'POST', path: '/_bulk', query, lines }, bulkAnswer, this.deadlineMs);
    } catch (error) {
      // 400 and 413 blame the messages: they are tried in halves. Any other answer is the engine's affair.
      if (isOutage(error) || (error instanceof Refusal && [400, 413].includes(error.status))) throw error;
      throw new Outage(true, error);
    }
  }
}

function rejectedOf(operations: readonly Operation[], items: readonly BulkItem[]): RejectedMessage[] {
  const outcomes = items.map(outcomeOf);
  const reason = (outcome: Outcome) => items[outcomes.indexOf(outcome)]?.error?.type;
  if (outcomes.includes('gone')) throw new IndexGone(`OpenSearch: ${reason('gone')}`);
  if (outcomes.includes('wait')) throw new Outage(true, new Error(`OpenSearch: ${reason('wait')}`));
  return operations.flatMap(({ position }, place) => {
    if (outcomes[place] !== 'rejected') return [];
    return [{ position, code: 'refused_by_index', detail: items[place]?.error?.type ?? 'unknown' }];
  });
}
