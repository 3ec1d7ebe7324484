import { Ids } from '@carbon/contracts';
import { type Logger, managementModule } from '@carbon/observability';
import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiDocsModule } from './api-docs/api-docs.module.js';
import { AssetsModule } from './assets/assets.module.js';
import { AuthModule } from './auth/auth.module.js';
import { FailedAuthLimiter } from './auth/failed-auth-limiter.js';
import { requireScope } from './auth/scopes.js';
import { EstimatesModule } from './estimates/estimates.module.js';
import { GATEWAY_CONFIG, type GatewayConfig, LOGGER } from './gateway.config.js';
import { Admission } from './limits/admission.js';
import { ConcurrencyLimit } from './limits/concurrency-limit.js';
import { LimitsModule } from './limits/limits.module.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { OffsetsModule } from './offsets/offsets.module.js';
import { RetirementsModule } from './retirements/retirements.module.js';

/** The configuration and what is made from it alone, for every module. */
@Module({})
class ConfigModule {
  static with(config: GatewayConfig, logger: Logger): DynamicModule {
    const ids = new Ids({ ids: config.ID_SECRETS, idempotency: config.IDEMPOTENCY_SECRETS });
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: GATEWAY_CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: Ids, useValue: ids },
      ],
      exports: [GATEWAY_CONFIG, LOGGER, Ids],
    };
  }
}

/** The gateway: one module per feature, and the admission of requests in front of them. */
@Module({
  providers: [
    {
      provide: Admission,
      inject: [HttpAdapterHost, FailedAuthLimiter, RateLimiter, ConcurrencyLimit],
      useFactory: (
        host: HttpAdapterHost,
        authentication: FailedAuthLimiter,
        rateLimiter: RateLimiter,
        concurrencyLimit: ConcurrencyLimit,
      ) => new Admission(host, [authentication, rateLimiter, { admit: requireScope }, concurrencyLimit]),
    },
  ],
})
export class GatewayModule {
  /** @throws ConfigError for a key file that is missing or invalid */
  static with(config: GatewayConfig, logger: Logger): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        ConfigModule.with(config, logger),
        managementModule('gateway', config),
        AuthModule.with(config),
        LimitsModule,
        OffsetsModule,
        EstimatesModule,
        RetirementsModule,
        AssetsModule,
        ApiDocsModule,
      ],
    };
  }
}
