import { setTimeout as sleep } from 'node:timers/promises';
import type { AssetType } from '@carbon/contracts';
import type { LibraryIndex } from '../indexing/library-index.js';
import { isOutage, type OpenSearch } from '../open-search/open-search.js';
import { Outage, Refusal } from '../open-search/refusal.js';
import { type SearchAnswer, searchAnswer } from './search-answer.js';
import { type PageWanted, searchRequest } from './search-request.js';

const PAUSE_MS = 100;
/** Kept back for the way there and back when OpenSearch is told how long it may search. */
const WAY_MS = 200;
/** Below this, asking again cannot end well. */
const LEAST_MS = 300;

/** Asks OpenSearch for a page, within one deadline for all attempts. */
export class AssetSearch {
  /** @param deadlineMs for the whole of it, one more attempt included */
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly library: LibraryIndex,
    private readonly deadlineMs: number,
  ) {}

  /** @throws Outage when there is no answer in time @throws Refusal when OpenSearch does not take the query */
  async page(type: AssetType, wanted: Omit<PageWanted, 'timeoutMs'>): Promise<SearchAnswer['hits']['hits']> {
    const end = performance.now() + this.deadlineMs;
    try {
      return await this.once(type, wanted, this.deadlineMs);
    } catch (error) {
      const left = end - performance.now() - PAUSE_MS;
      // One that was slow is not asked again: that would double its load.
      if (!isOutage(error) || !error.tellsAtOnce || left < LEAST_MS) throw error;
      await sleep(PAUSE_MS);
      return await this.once(type, wanted, left);
    }
  }

  private async once(type: AssetType, wanted: Omit<PageWanted, 'timeoutMs'>, deadlineMs: number) {
    const timeoutMs = Math.max(LEAST_MS, Math.floor(deadlineMs - WAY_MS));
    const body = searchRequest({ ...wanted, timeoutMs });
    const path = `/${this.library.aliasOf(type)}/_search`;
    const answer = await this.openSearch
      .ask({ method: 'POST', path, query: { allow_partial_search_results: false }, body }, searchAnswer, deadlineMs)
      .catch(notYetIndexed);
    if (answer.timed_out || answer._shards.failed > 0) throw new Outage(false, new Error('a partial answer'));
    return answer.hits.hits;
  }
}

/** Before the first generation is live there is no alias. */
function notYetIndexed(error: unknown): never {
  if (error instanceof Refusal && error.type === 'index_not_found_exception') throw new Outage(false, error);
  throw error;
}
