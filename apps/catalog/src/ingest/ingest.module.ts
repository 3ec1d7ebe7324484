import { Module } from '@nestjs/common';
import { CATALOG_CONFIG, type CatalogConfig } from '../catalog.config.js';
import { OpenSearch } from '../open-search/open-search.js';
import { OpenSearchModule } from '../open-search/open-search.module.js';
import { AssetIndexer } from './asset-indexer.js';
import { BulkWriter } from './bulk-writer.js';
import { StallGuard } from './stall-guard.js';

/** Writes batches of `asset.published` to OpenSearch. */
@Module({
  imports: [OpenSearchModule],
  providers: [
    AssetIndexer,
    { provide: StallGuard, useFactory: () => new StallGuard() },
    {
      provide: BulkWriter,
      inject: [OpenSearch, CATALOG_CONFIG],
      useFactory: (openSearch: OpenSearch, config: CatalogConfig) => new BulkWriter(openSearch, config.BULK_TIMEOUT_MS),
    },
  ],
  exports: [AssetIndexer],
})
export class IngestModule {}
