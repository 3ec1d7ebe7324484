import { Module } from '@nestjs/common';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { SupplyController } from './supply.controller.js';
import { SupplyConsumer } from './supply-consumer.js';

/** The supply of every asset, from `asset.published`, and the readiness gate of allocation. */
@Module({
  controllers: [SupplyController],
  providers: [ReadinessGate, SupplyConsumer],
  exports: [ReadinessGate, SupplyConsumer],
})
export class SupplyModule {}
