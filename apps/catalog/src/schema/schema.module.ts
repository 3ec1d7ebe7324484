import { Module } from '@nestjs/common';
import { IndexModule } from '../index/index.module.js';
import { OpenSearchModule } from '../open-search/open-search.module.js';
import { LibraryStatistics } from './library-statistics.js';
import { SchemaController } from './schema.controller.js';

/** `GET /v1/assets/schema`. */
@Module({
  imports: [OpenSearchModule, IndexModule],
  controllers: [SchemaController],
  providers: [LibraryStatistics],
})
export class SchemaModule {}
