import { Metrics } from '@carbon/observability';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { CATALOG_CONFIG, type CatalogConfig } from '../catalog.config.js';
import { OpenSearch } from './open-search.js';
import { openSearchConnection } from './open-search-connection.js';

/** The client of OpenSearch, closed after the last request. */
@Module({
  providers: [
    {
      provide: OpenSearch,
      inject: [CATALOG_CONFIG, Metrics],
      useFactory: (config: CatalogConfig, metrics: Metrics) => new OpenSearch(openSearchConnection(config), metrics),
    },
  ],
  exports: [OpenSearch],
})
export class OpenSearchModule implements OnApplicationShutdown {
  constructor(private readonly openSearch: OpenSearch) {}

  async onApplicationShutdown(): Promise<void> {
    await this.openSearch.close();
  }
}
