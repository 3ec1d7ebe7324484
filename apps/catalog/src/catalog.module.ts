import { Cursors, ServiceAuthenticator } from '@carbon/http';
import { createKafka, kafkaConnection } from '@carbon/messaging';
import { Health, type Logger, Metrics, managementModule } from '@carbon/observability';
import {
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { CatalogConfig } from './catalog.config.js';
import { FeedLibrary } from './index/feed-library.js';
import { layoutOf } from './index/index-body.js';
import { IndexMetrics, WatchDependencies } from './index/index-health.js';
import { LibraryIndex } from './index/library-index.js';
import { BulkWriter } from './ingest/bulk-writer.js';
import { IngestAssets } from './ingest/ingest-assets.js';
import { ProcessEnd, StallGuard } from './ingest/stall-guard.js';
import { OpenSearch, OpenSearchMetrics } from './open-search/open-search.js';
import { openSearchConnection } from './open-search/open-search-connection.js';
import { DescribeFieldsController } from './schema/describe-fields.controller.js';
import { DescribeFields } from './schema/describe-fields.js';
import { LibraryFigures } from './schema/library-figures.js';
import { AssetSearch } from './search/asset-search.js';
import { SearchAssetsController } from './search/search-assets.controller.js';
import { SearchAssets } from './search/search-assets.js';

/** The catalog put together. */
@Module({
  controllers: [SearchAssetsController, DescribeFieldsController],
  providers: [IngestAssets, SearchAssets, DescribeFields, IndexMetrics, WatchDependencies],
})
export class CatalogModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly guard: StallGuard,
  ) {}

  static with(config: CatalogConfig, logger: Logger): DynamicModule {
    return {
      module: CatalogModule,
      imports: [managementModule('catalog', config)],
      providers: [...openSearchProviders(config), ...ingestProviders(config, logger), ...searchProviders(config)],
    };
  }

  onApplicationBootstrap(): void {
    this.guard.start();
  }

  /** Called when the last request is answered and the consumer has left its group. */
  async onApplicationShutdown(): Promise<void> {
    this.guard.stop();
    await this.openSearch.close();
  }
}

function openSearchProviders(config: CatalogConfig): Provider[] {
  return [
    {
      provide: OpenSearch,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new OpenSearch(openSearchConnection(config), new OpenSearchMetrics(metrics)),
    },
    {
      provide: LibraryIndex,
      inject: [OpenSearch],
      useFactory: (openSearch: OpenSearch) => new LibraryIndex(openSearch, config.INDEX_PREFIX, layoutOf(config)),
    },
  ];
}

function ingestProviders(config: CatalogConfig, logger: Logger): Provider[] {
  const { BULK_TIMEOUT_MS, GENERATION_KEPT_MS: keptMs } = config;
  return [
    { provide: ProcessEnd, useFactory: () => new ProcessEnd() },
    {
      provide: StallGuard,
      inject: [ProcessEnd],
      useFactory: (end: ProcessEnd) => new StallGuard((error) => end.because(error)),
    },
    {
      provide: BulkWriter,
      inject: [OpenSearch],
      useFactory: (openSearch: OpenSearch) => new BulkWriter(openSearch, BULK_TIMEOUT_MS),
    },
    {
      provide: FeedLibrary,
      inject: [LibraryIndex, Health, IngestAssets, Metrics],
      useFactory: (library: LibraryIndex, health: Health, ingest: IngestAssets, metrics: Metrics) => {
        const kafka = createKafka({ ...kafkaConnection(config), clientId: 'catalog', logger, metrics });
        return new FeedLibrary(
          library,
          kafka,
          health,
          (batch, { writeAliases }) => ingest.run(batch, writeAliases),
          keptMs,
        );
      },
    },
  ];
}

function searchProviders({ CURSOR_SECRETS, INTERNAL_SECRETS, SEARCH_TIMEOUT_MS }: CatalogConfig): Provider[] {
  return [
    {
      provide: ServiceAuthenticator,
      inject: [HttpAdapterHost],
      useFactory: (host: HttpAdapterHost) => new ServiceAuthenticator(host, INTERNAL_SECRETS),
    },
    { provide: Cursors, useFactory: () => new Cursors(CURSOR_SECRETS) },
    {
      provide: AssetSearch,
      inject: [OpenSearch, LibraryIndex],
      useFactory: (openSearch: OpenSearch, library: LibraryIndex) =>
        new AssetSearch(openSearch, library, SEARCH_TIMEOUT_MS),
    },
    {
      provide: LibraryFigures,
      inject: [OpenSearch, LibraryIndex],
      useFactory: (openSearch: OpenSearch, library: LibraryIndex) =>
        new LibraryFigures(openSearch, library, SEARCH_TIMEOUT_MS),
    },
  ];
}
