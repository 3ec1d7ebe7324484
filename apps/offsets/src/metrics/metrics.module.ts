import { Module } from '@nestjs/common';
import { RegistryModule } from '../registry/registry.module.js';
import { SupplyModule } from '../supply/supply.module.js';
import { Gauges } from './gauges.js';
import { OffsetMetrics } from './offset-metrics.js';

/** The metrics of offsets, queues, the supply, connections and the registry. */
@Module({ imports: [SupplyModule, RegistryModule], providers: [OffsetMetrics, Gauges], exports: [OffsetMetrics] })
export class MetricsModule {}
