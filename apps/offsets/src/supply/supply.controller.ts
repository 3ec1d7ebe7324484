import type { Asset } from '@carbon/contracts';
import type { ReceivedBatch, Rejected } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { SupplyFollower } from './supply-follower.js';

/** Consumes `asset.published` in batches. */
@Controller()
export class SupplyController {
  constructor(private readonly follower: SupplyFollower) {}

  @EventPattern('asset.published')
  record(@Payload() batch: ReceivedBatch<Asset>): Promise<Rejected[]> {
    return this.follower.record(batch);
  }
}
