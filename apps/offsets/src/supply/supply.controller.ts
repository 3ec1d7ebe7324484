import type { Asset } from '@carbon/contracts';
import type { Batch, RejectedMessage } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { SupplyFollower } from './supply-follower.js';

/** Consumes `asset.published` in batches. */
@Controller()
export class SupplyController {
  constructor(private readonly follower: SupplyFollower) {}

  @EventPattern('asset.published')
  record(@Payload() batch: Batch<Asset>): Promise<RejectedMessage[]> {
    return this.follower.record(batch);
  }
}
