import { Cursors } from '@carbon/http';
import { Module } from '@nestjs/common';
import { CATALOG_CONFIG, type CatalogConfig } from '../catalog.config.js';
import { IndexModule } from '../index/index.module.js';
import { OpenSearchModule } from '../open-search/open-search.module.js';
import { AssetSearch } from './asset-search.js';
import { SearchController } from './search.controller.js';
import { SearchClient } from './search-client.js';
import { SearchWarmUp } from './search-warm-up.js';

/** `GET /v1/assets/pools`, `/projects`, `/hints`, `/facets` and `/complete`. */
@Module({
  imports: [OpenSearchModule, IndexModule],
  controllers: [SearchController],
  providers: [
    AssetSearch,
    SearchClient,
    SearchWarmUp,
    {
      provide: Cursors,
      inject: [CATALOG_CONFIG],
      useFactory: ({ CURSOR_SECRETS }: CatalogConfig) => new Cursors(CURSOR_SECRETS),
    },
  ],
})
export class SearchModule {}
