import type { KafkaHandle } from '@carbon/messaging';
import { Health } from '@carbon/observability';
import { Module } from '@nestjs/common';
import { CATALOG_CONFIG, type CatalogConfig } from '../catalog.config.js';
import { AssetIndexer } from '../ingest/asset-indexer.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { OpenSearch } from '../open-search/open-search.js';
import { OpenSearchModule } from '../open-search/open-search.module.js';
import { KAFKA } from './generation-consumers.js';
import { layoutOf } from './index-body.js';
import { IndexHealth, IndexMetrics } from './index-health.js';
import { IndexReconciler } from './index-reconciler.js';
import { LibraryIndex } from './library-index.js';

/** Creates, fills, makes live and removes the generations of the index. */
@Module({
  imports: [OpenSearchModule, IngestModule],
  providers: [
    IndexMetrics,
    IndexHealth,
    {
      provide: LibraryIndex,
      inject: [OpenSearch, CATALOG_CONFIG],
      useFactory: (openSearch: OpenSearch, config: CatalogConfig) =>
        new LibraryIndex(openSearch, config.INDEX_PREFIX, layoutOf(config)),
    },
    {
      provide: IndexReconciler,
      inject: [LibraryIndex, KAFKA, Health, AssetIndexer, CATALOG_CONFIG],
      useFactory: (
        library: LibraryIndex,
        kafka: KafkaHandle,
        health: Health,
        indexer: AssetIndexer,
        { GENERATION_KEPT_MS }: CatalogConfig,
      ) => {
        const write = indexer.index.bind(indexer);
        return new IndexReconciler(
          library,
          kafka,
          health,
          (batch, to) => write(batch, to.writeAliases),
          GENERATION_KEPT_MS,
        );
      },
    },
  ],
  exports: [LibraryIndex],
})
export class IndexModule {}
