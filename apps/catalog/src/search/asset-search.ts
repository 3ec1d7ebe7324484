import { ASSET_FIELDS, type AssetFieldName, type AssetType, fieldView } from '@carbon/contracts';
import type { Place } from '@carbon/http';
import { z } from 'zod';
import type { CachedResponse } from '../answers/response-cache.js';
import type { LibraryIndex } from '../index/library-index.js';
import { askTwice, searchTimeMs } from '../open-search/ask-twice.js';
import type { OpenSearch } from '../open-search/open-search.js';
import { notYetIndexed, Outage } from '../open-search/refusal.js';
import type { ReadQuestion } from './read-question.js';
import { type PageWanted, searchRequest } from './search-request.js';

/** An asset as the index keeps it: those fields that were asked for and that it has. */
const storedAsset = z.object(
  Object.fromEntries((Object.keys(ASSET_FIELDS) as AssetFieldName[]).map((name) => [name, fieldView(name)])),
);

/** OpenSearch's answer to a search. A place of `null` is that of a word that the document does not have. */
export const searchAnswer = z.object({
  timed_out: z.boolean(),
  _shards: z.object({ failed: z.int() }),
  hits: z.object({
    total: z.object({ value: z.int(), relation: z.literal('eq') }),
    hits: z.array(
      z.object({ _source: storedAsset, sort: z.array(z.union([z.string(), z.number(), z.null()])).readonly() }),
    ),
  }),
});

export type SearchAnswer = z.output<typeof searchAnswer>;
export type StoredAsset = z.output<typeof storedAsset>;

/** One page of assets, for whoever asks the same. */
export interface AssetPage extends CachedResponse {
  /** The assets as JSON: an array of what each has of the fields asked for. */
  readonly body: Buffer;
  /** How many there are on all pages. */
  readonly total: number;
  /** Where this page ends, unless it is the last. */
  readonly end?: Place;
}

/** The page that OpenSearch's hits make. */
export function assetPage(askedAt: number, { hits, total }: SearchAnswer['hits'], question: ReadQuestion): AssetPage {
  const { limit, wanted } = question;
  const shown = hits.slice(0, limit);
  const assets = shown.map(({ _source }) => _source);
  const body = Buffer.from(JSON.stringify(assets, [...wanted.fields]));
  const end = hits.length > limit ? shown.at(-1)?.sort : undefined;
  return { askedAt, body, total: total.value, bytes: body.length, ...(end && { end }) };
}

/** The same for two questions when the same page answers both, whoever asks and however the criteria are spelled. */
export function pageKey(type: AssetType, { canonical, wanted }: ReadQuestion): string {
  const { fullText, order, fields, size, after } = wanted;
  return JSON.stringify([type, canonical, fullText.blank ? '' : fullText.whole, order, fields, size, after]);
}

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
