import { ServiceAuthenticator } from '@carbon/http';
import { createKafka, kafkaConnection } from '@carbon/messaging';
import { type Logger, Metrics, managementModule } from '@carbon/observability';
import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CATALOG_CONFIG, type CatalogConfig } from './catalog.config.js';
import { KAFKA } from './index/generation-consumers.js';
import { IndexModule } from './index/index.module.js';
import { SchemaModule } from './schema/schema.module.js';
import { SearchModule } from './search/search.module.js';

/** The catalog, composed of its feature modules. */
@Module({ imports: [IndexModule, SearchModule, SchemaModule] })
export class CatalogModule {}

/** {@link CatalogModule} with its settings and the connections that the features share. */
export function catalogModule(config: CatalogConfig, logger: Logger): DynamicModule {
  return {
    module: CatalogModule,
    global: true,
    imports: [managementModule('catalog', config)],
    providers: [
      { provide: CATALOG_CONFIG, useValue: config },
      {
        provide: KAFKA,
        inject: [Metrics],
        useFactory: (metrics: Metrics) =>
          createKafka({ ...kafkaConnection(config), clientId: 'catalog', logger, metrics }),
      },
      {
        provide: ServiceAuthenticator,
        inject: [HttpAdapterHost],
        useFactory: (host: HttpAdapterHost) => new ServiceAuthenticator(host, config.INTERNAL_SECRETS),
      },
    ],
    exports: [CATALOG_CONFIG, KAFKA],
  };
}
