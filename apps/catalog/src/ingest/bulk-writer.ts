import type { RejectedMessage } from '@carbon/messaging';
import { z } from 'zod';
import type { OpenSearch } from '../open-search/open-search.js';
import { isTransient, OpenSearchRequestError, OpenSearchUnavailableError } from '../open-search/open-search-errors.js';
import { guardLines, type Operation } from './asset-operation.js';

const item = z.object({ status: z.int(), error: z.object({ type: z.string() }).optional() });

/** The part of a `_bulk` response that is read; all of it would be as long as the request. */
export const BULK_RESPONSE_PATHS = 'errors,items.*.status,items.*.error.type';

/** The response to `_bulk`: an item per operation, in order, to be parsed with {@link bulkItems} if any failed. */
export const bulkResponse = z.object({ errors: z.boolean(), items: z.array(z.unknown()) });

const bulkItem = z.union([
  z.object({ index: item }).transform(({ index }) => index),
  z.object({ delete: item }).transform((it) => it.delete),
]);

/** Parses the items of either kind of operation. */
export function bulkItems(items: readonly unknown[]): BulkItem[] {
  return items.map((one) => bulkItem.parse(one));
}

export type BulkItem = z.output<typeof item>;

/**
 * The outcome of one operation. `done`: the index is as new as the message or newer. `retry`: OpenSearch cannot write now.
 * `noIndex`: the index is gone. `rejected`: OpenSearch will never index this document.
 */
export type Outcome = 'done' | 'retry' | 'noIndex' | 'rejected';

/** Decides by status and reason: not every status other than 2xx is a failure. */
export function outcomeOf({ status, error }: BulkItem): Outcome {
  if (status >= 200 && status < 300) return 'done';
  // The index has this version or a newer one already, or the document to delete does not exist.
  if (status === 409 && error?.type === 'version_conflict_engine_exception') return 'done';
  if (status === 404) return error === undefined ? 'done' : 'noIndex';
  // 5xx (a full disk, a broken translog, a node that stops) is never caused by the message.
  return status >= 500 || isTransient(status, error?.type ?? '') ? 'retry' : 'rejected';
}

/** The index of a write is gone: nothing can be written to this generation any more. */
export class IndexGoneError extends Error {
  override readonly name = 'IndexGoneError';
}

/**
 * Writes operations with one `_bulk` call. After an error the caller writes all of them again, which is harmless
 * because of the versions. (The client's own bulk helper retries 429 only and drops the rest.)
 */
export class BulkWriter {
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly timeoutMs: number,
  ) {}

  /**
   * @returns the operations that OpenSearch will never accept
   * @throws OpenSearchUnavailableError if any of them cannot be written now
   * @throws OpenSearchRequestError for 400 and 413, which are about the messages
   * @throws IndexGoneError if an index does not exist
   */
  async write(operations: readonly Operation[]): Promise<RejectedMessage[]> {
    if (operations.length === 0) return [];
    const lines = operations.map(({ lines }) => lines).join('') + guardLines(operations);
    const items = await this.bulk(lines, operations.length);
    return items === undefined ? [] : rejectedOf(operations, items);
  }

  /** Returns the items of the operations, or undefined if none failed. */
  private async bulk(lines: string, count: number): Promise<BulkItem[] | undefined> {
    try {
      // Without `require_alias` OpenSearch may create a missing index, without our mapping.
      const query = { filter_path: BULK_RESPONSE_PATHS, require_alias: true };
      const request = { method: 'POST', path: '/_bulk', query, lines } as const;
      const { errors, items } = await this.openSearch.request(request, bulkResponse, this.timeoutMs);
      if (items.length < count) throw new Error('fewer items than operations');
      return errors ? bulkItems(items.slice(0, count)) : undefined;
    } catch (error) {
      // 400 and 413 are about the messages: the consumer bisects the batch. Every other error is the engine's.
      const isAboutMessages = error instanceof OpenSearchRequestError && [400, 413].includes(error.status);
      if (isAboutMessages || error instanceof OpenSearchUnavailableError) throw error;
      throw unavailable(error);
    }
  }
}

function rejectedOf(operations: readonly Operation[], items: readonly BulkItem[]): RejectedMessage[] {
  const outcomes = items.map(outcomeOf);
  const reasonOf = (outcome: Outcome) => `OpenSearch: ${items[outcomes.indexOf(outcome)]?.error?.type}`;
  if (outcomes.includes('noIndex')) throw new IndexGoneError(reasonOf('noIndex'));
  if (outcomes.includes('retry')) throw unavailable(new Error(reasonOf('retry')));
  return operations.flatMap(({ position }, place) => {
    if (outcomes[place] !== 'rejected') return [];
    return [{ position, code: 'refused_by_index', detail: items[place]?.error?.type ?? 'unknown' }];
  });
}

function unavailable(cause: unknown): OpenSearchUnavailableError {
  return new OpenSearchUnavailableError(true, cause);
}
