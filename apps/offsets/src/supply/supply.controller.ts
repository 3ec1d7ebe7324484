import type { Asset } from '@carbon/contracts';
import type { Batch } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { SupplyConsumer } from './supply-consumer.js';

/** Consumes `asset.published` in batches. */
@Controller()
export class SupplyController {
  constructor(private readonly consumer: SupplyConsumer) {}

  @EventPattern('asset.published')
  record(@Payload() batch: Batch<Asset>): Promise<void> {
    return this.consumer.record(batch);
  }
}
