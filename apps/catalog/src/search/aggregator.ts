import type { AssetType } from '@carbon/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CATALOG_CONFIG, type CatalogConfig } from '../catalog.config.js';
import { LibraryIndex } from '../index/library-index.js';
import { OpenSearch, retryOnce, searchTimeMs } from '../open-search/open-search.js';
import { OpenSearchUnavailableError, throwUnavailableIfNoIndex } from '../open-search/open-search-errors.js';
import type { Query } from './clause-count.js';

/** What to aggregate, and the assets to do it over; all assets by default. */
export interface Aggregation {
  readonly query?: Query;
  readonly aggs: Query;
}

/** Aggregates assets, in one request with the deadline of a search. */
@Injectable()
export class Aggregator {
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly library: LibraryIndex,
    @Inject(CATALOG_CONFIG) private readonly config: Pick<CatalogConfig, 'SEARCH_TIMEOUT_MS'>,
  ) {}

  /** @param schema of the aggregations in the response @throws OpenSearchUnavailableError also for a partial response */
  async aggregate<T>(type: AssetType, aggregation: Aggregation, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const response = z.object({
      timed_out: z.boolean(),
      _shards: z.object({ failed: z.int() }),
      aggregations: z.unknown(),
    });
    return await retryOnce({ timeoutMs: this.config.SEARCH_TIMEOUT_MS, signal }, async (leftMs) => {
      const body = { size: 0, track_total_hits: false, timeout: `${searchTimeMs(leftMs)}ms`, ...aggregation };
      const path = `/${this.library.aliasOf(type)}/_search`;
      const request = { method: 'POST', path, query: { allow_partial_search_results: false }, body, signal } as const;
      const found = await this.openSearch.request(request, response, leftMs).catch(throwUnavailableIfNoIndex);
      if (!found.timed_out && found._shards.failed === 0) return schema.parse(found.aggregations);
      throw new OpenSearchUnavailableError(false, new Error('a partial response'));
    });
  }
}
