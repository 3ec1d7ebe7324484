import { Module } from '@nestjs/common';
import { FulfillmentModule } from '../fulfillment/fulfillment.module.js';
import { RegistryModule } from '../registry/registry.module.js';
import { SupplyModule } from '../supply/supply.module.js';
import { DependencyHealth } from './dependency-health.js';

/** The dependencies of the service, for `/health/ready`. */
@Module({ imports: [SupplyModule, RegistryModule, FulfillmentModule], providers: [DependencyHealth] })
export class HealthModule {}
