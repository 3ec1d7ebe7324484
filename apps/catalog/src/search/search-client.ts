import type { AssetType } from '@carbon/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CATALOG_CONFIG, type CatalogConfig } from '../catalog.config.js';
import { LibraryIndex } from '../index/library-index.js';
import { OpenSearch, retryOnce, searchTimeMs } from '../open-search/open-search.js';
import { OpenSearchUnavailableError, throwUnavailableIfNoIndex } from '../open-search/open-search-errors.js';
import type { Query } from './clause-count.js';

const completeness = z.looseObject({ timed_out: z.boolean(), _shards: z.object({ failed: z.int() }) });

/** What to aggregate, and the assets to do it over; all assets by default. */
export interface Aggregation {
  readonly query?: Query;
  readonly aggs: Query;
}

/** Searches the live indices in OpenSearch: each search is one request, or two, within one deadline. */
@Injectable()
export class SearchClient {
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly library: LibraryIndex,
    @Inject(CATALOG_CONFIG) private readonly config: Pick<CatalogConfig, 'SEARCH_TIMEOUT_MS'>,
  ) {}

  /** @param schema of the response @throws OpenSearchUnavailableError also for a partial response */
  async search<T>(type: AssetType, body: Query, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    return await retryOnce({ timeoutMs: this.config.SEARCH_TIMEOUT_MS, signal }, async (leftMs) => {
      const request = {
        method: 'POST',
        path: `/${this.library.aliasOf(type)}/_search`,
        query: { allow_partial_search_results: false },
        body: { ...body, timeout: `${searchTimeMs(leftMs)}ms` },
        signal,
      } as const;
      const response = await this.openSearch.request(request, completeness, leftMs).catch(throwUnavailableIfNoIndex);
      if (response.timed_out || response._shards.failed > 0) {
        throw new OpenSearchUnavailableError(false, new Error('a partial response'));
      }
      return schema.parse(response);
    });
  }

  /** Aggregates assets. @param schema of the aggregations in the response @throws OpenSearchUnavailableError */
  async aggregate<T>(type: AssetType, aggregation: Aggregation, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const body = { size: 0, track_total_hits: false, ...aggregation };
    return (await this.search(type, body, z.object({ aggregations: schema }), signal)).aggregations;
  }
}
