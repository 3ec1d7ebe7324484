import { Ids } from '@carbon/contracts';
import { type Logger, managementModule } from '@carbon/observability';
import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiDocsModule } from './api-docs/api-docs.module.js';
import { AssetsModule } from './assets/assets.module.js';
import { authModule } from './auth/auth.module.js';
import { AuthenticationStep } from './auth/authentication-step.js';
import { requireScope } from './auth/scopes.js';
import { consoleModules } from './console/console.module.js';
import { EstimatesModule } from './estimates/estimates.module.js';
import { GATEWAY_CONFIG, type GatewayConfig, LOGGER } from './gateway.config.js';
import { Admission, type AdmissionStep } from './limits/admission.js';
import { ConcurrencyLimit } from './limits/concurrency-limit.js';
import { LimitsModule } from './limits/limits.module.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { OffsetsModule } from './offsets/offsets.module.js';
import { RetirementsModule } from './retirements/retirements.module.js';

/** The gateway: one module per feature, and the admission of requests in front of them. */
@Module({
  imports: [LimitsModule, OffsetsModule, EstimatesModule, RetirementsModule, AssetsModule, ApiDocsModule],
})
export class GatewayModule {}

/**
 * {@link GatewayModule} with its configuration, and what every feature may inject.
 * @throws ConfigError for a key file or a console that is missing or invalid
 */
export function gatewayModule(config: GatewayConfig, logger: Logger): DynamicModule {
  const ids = new Ids({ ids: config.ID_SECRETS, idempotency: config.IDEMPOTENCY_SECRETS });
  return {
    module: GatewayModule,
    global: true,
    imports: [managementModule('gateway', config), authModule(config), ...consoleModules(config)],
    providers: [
      { provide: GATEWAY_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: Ids, useValue: ids },
      {
        provide: Admission,
        inject: [HttpAdapterHost, AuthenticationStep, RateLimiter, ConcurrencyLimit],
        useFactory: (
          host: HttpAdapterHost,
          authentication: AdmissionStep,
          rate: AdmissionStep,
          concurrency: ConcurrencyLimit,
        ) => new Admission(host, [authentication, rate, { admit: requireScope }, concurrency], concurrency),
      },
    ],
    exports: [GATEWAY_CONFIG, LOGGER, Ids],
  };
}
