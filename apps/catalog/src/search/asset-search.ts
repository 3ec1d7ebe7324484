import type { AssetType } from '@carbon/contracts';
import type { LibraryIndex } from '../indexing/library-index.js';
import { askTwice, searchTimeMs } from '../open-search/ask-twice.js';
import type { OpenSearch } from '../open-search/open-search.js';
import { notYetIndexed, Outage } from '../open-search/refusal.js';
import { type SearchAnswer, searchAnswer } from './search-answer.js';
import { type PageWanted, searchRequest } from './search-request.js';

/** Asks OpenSearch for a page, within one deadline for all attempts. */
export class AssetSearch {
  /** @param deadlineMs for the whole of it, one more attempt included */
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly library: LibraryIndex,
    private readonly deadlineMs: number,
  ) {}

  /**
   * @param signal says that nobody waits for the page any more
   * @throws Outage when there is no answer in time
   * @throws Refusal when OpenSearch does not take the query
   */
  page(type: AssetType, wanted: PageWanted, signal: AbortSignal): Promise<SearchAnswer['hits']> {
    return askTwice({ deadlineMs: this.deadlineMs, signal }, (leftMs) => this.once(type, wanted, leftMs, signal));
  }

  private async once(type: AssetType, wanted: PageWanted, leftMs: number, signal: AbortSignal) {
    const body = searchRequest(wanted, searchTimeMs(leftMs));
    const path = `/${this.library.aliasOf(type)}/_search`;
    const query = { allow_partial_search_results: false };
    const answer = await this.openSearch
      .ask({ method: 'POST', path, query, body, signal }, searchAnswer, leftMs)
      .catch(notYetIndexed);
    if (answer.timed_out || answer._shards.failed > 0) throw new Outage(false, new Error('a partial answer'));
    return answer.hits;
  }
}
