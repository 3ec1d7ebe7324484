import { ServiceAuthenticator } from '@carbon/http';
import { type Logger, managementModule } from '@carbon/observability';
import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { EstimatesModule } from './estimates/estimates.module.js';
import { FulfillmentModule } from './fulfillment/fulfillment.module.js';
import { HealthModule } from './health/health.module.js';
import { infrastructureModule, type RecoveryOverrides } from './infrastructure.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import type { OffsetsConfig } from './offsets.config.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { persistenceModule } from './persistence/persistence.module.js';
import { QueryModule } from './query/query.module.js';
import { RecoveryModule } from './recovery/recovery.module.js';
import { SupplyModule } from './supply/supply.module.js';

/** The module class behind {@link offsetsModule}. */
@Module({
  imports: [
    SupplyModule,
    FulfillmentModule,
    OutboxModule,
    EstimatesModule,
    QueryModule,
    RecoveryModule,
    MetricsModule,
    HealthModule,
  ],
})
export class OffsetsModule {}

/** Composes the offsets service. */
export function offsetsModule(config: OffsetsConfig, logger: Logger, overrides: RecoveryOverrides = {}): DynamicModule {
  return {
    module: OffsetsModule,
    imports: [
      managementModule('offsets', config),
      infrastructureModule(config, logger, overrides),
      persistenceModule(config, logger),
    ],
    providers: [
      {
        provide: ServiceAuthenticator,
        inject: [HttpAdapterHost],
        useFactory: (host: HttpAdapterHost) => new ServiceAuthenticator(host, config.INTERNAL_SECRETS),
      },
    ],
  };
}
