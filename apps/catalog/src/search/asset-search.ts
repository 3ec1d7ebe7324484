import type { AssetType } from '@carbon/contracts';
import { type CachedResponse, Cursors, type JsonResponse, jsonResponse, type SortValues } from '@carbon/http';
import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { searchMetrics } from '../catalog.metrics.js';
import { OpenSearchRequestError } from '../open-search/open-search-errors.js';
import { ResponseCache } from '../response-cache/response-cache.js';
import { SearchClient } from './search-client.js';
import { hintsUrl, linkToNext, planSearch, type SearchPlan, type SearchRequest } from './search-plan.js';
import { type SearchHits, searchBody, searchResponse } from './search-query.js';

/** One page of assets, the same for every account. */
interface AssetPage extends CachedResponse {
  /** The assets as a JSON array. */
  readonly body: Buffer;
  /** The number of assets on all pages. */
  readonly total: number;
  /** The sort values of the last asset, unless this is the last page. */
  readonly end?: SortValues;
}

/** Memory of each of the two caches. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Searches pools or projects, with two caches: of pages, and of the responses that were made from them. */
@Injectable()
export class AssetSearch {
  private readonly metrics;
  /** By account and URL: nothing is parsed again. */
  private readonly responses = new ResponseCache<JsonResponse>(MAX_BYTES);
  /** By the meaning of the search. */
  private readonly pages = new ResponseCache<AssetPage>(MAX_BYTES);

  constructor(
    private readonly client: SearchClient,
    private readonly cursors: Cursors,
    metrics: Metrics,
  ) {
    this.metrics = metrics.of(searchMetrics);
  }

  /** Returns the response of the last second to the same search, if it is cached. */
  cached(request: SearchRequest): JsonResponse | undefined {
    const response = this.responses.getCached(cacheKey(request));
    if (response !== undefined) this.metrics.searches.inc({ type: request.type, source: 'response' });
    return response;
  }

  /**
   * @param signal aborts when the client disconnects
   * @throws RequestError invalid_criteria, invalid_cursor, invalid_request, uri_too_long
   * @throws TransientError when the library cannot be searched now
   */
  async search(request: SearchRequest, signal: AbortSignal): Promise<JsonResponse> {
    const { type } = request;
    const plan = planSearch(request, this.cursors);
    const page = await this.page(type, plan, signal);
    const hints = page.total === 0 ? hintsUrl(type, plan) : undefined;
    const headers = {
      'x-total-count': String(page.total),
      ...(page.end && { link: linkToNext(plan, this.cursors.write(page.end, plan.scope)) }),
      ...(hints && { 'x-search-hints': hints }),
    };
    const response = jsonResponse(page.requestedAt, page.body, headers);
    this.responses.set(cacheKey(request), response);
    return response;
  }

  private async page(type: AssetType, plan: SearchPlan, signal: AbortSignal): Promise<AssetPage> {
    let source = 'page';
    const fetch = async (requestedAt: number, abandoned: AbortSignal) => {
      source = 'opensearch';
      return assetPage(requestedAt, await this.hits(type, plan, abandoned), plan);
    };
    const page = await this.pages.get(pageKey(type, plan), fetch, signal);
    this.metrics.searches.inc({ type, source });
    return page;
  }

  private async hits(type: AssetType, { query, canonical }: SearchPlan, signal: AbortSignal): Promise<SearchHits> {
    try {
      return (await this.client.search(type, searchBody(query), searchResponse, signal)).hits;
    } catch (error) {
      // OpenSearch must accept every compiled query: this is a bug of the compiler, and the canonical form shows where.
      if (!(error instanceof OpenSearchRequestError)) throw error;
      throw new Error(`OpenSearch rejects the query of the criteria: ${canonical}`, { cause: error });
    }
  }
}

function assetPage(requestedAt: number, { hits, total }: SearchHits, { limit, query }: SearchPlan): AssetPage {
  const page = hits.slice(0, limit);
  const assets = page.map(({ _source }) => _source);
  const body = Buffer.from(JSON.stringify(assets, [...query.fields]));
  const end = hits.length > limit ? page.at(-1)?.sort : undefined;
  return { requestedAt, body, total: total.value, bytes: body.length, ...(end && { end }) };
}

/** Cursors belong to an account. */
function cacheKey({ account, url }: SearchRequest): string {
  return `${account} ${url}`;
}

/** Equal for searches with the same page, whatever the account and the spelling of the criteria. */
function pageKey(type: AssetType, { canonical, query }: SearchPlan): string {
  const { fullText, order, fields, size, after } = query;
  return JSON.stringify([type, canonical, fullText.isBlank ? '' : fullText.whole, order, fields, size, after]);
}
