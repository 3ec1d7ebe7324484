import { type DynamicModule, Module } from '@nestjs/common';
import { BareHealthController } from '../health/bare-health.controller.js';
import { HealthController } from '../health/health.controller.js';
import { Health } from '../health/health.js';
import { MetricsController } from '../metrics/metrics.controller.js';
import { Metrics } from '../metrics/metrics.js';
import { Management, type ManagementSettings } from './management.js';

/** The module class behind {@link managementModule}; it holds nothing itself. */
@Module({})
export class ManagementModule {}

/**
 * {@link Health} for every module to register its dependencies with, {@link Metrics} to count with, and the routes that show
 * them: `/health/live`, `/health/ready`, `/metrics`. With `MANAGEMENT_PORT` the app's own port keeps only whether it lives
 * and is ready. `app` is the app's name, as its metrics have it.
 */
export function managementModule(app: string, settings: ManagementSettings = {}): DynamicModule {
  const management = new Management(settings);
  return {
    module: ManagementModule,
    global: true,
    controllers: management.isApart ? [BareHealthController] : [HealthController, MetricsController],
    providers: [
      Health,
      { provide: Metrics, useFactory: () => new Metrics(app) },
      { provide: Management, useValue: management },
    ],
    exports: [Health, Metrics, Management],
  };
}

/** The same routes by themselves, about an app whose health and metrics are given. */
export function managementModuleAbout(health: Health, metrics: Metrics): DynamicModule {
  return {
    module: ManagementModule,
    controllers: [HealthController, MetricsController],
    providers: [
      { provide: Health, useValue: health },
      { provide: Metrics, useValue: metrics },
    ],
  };
}
