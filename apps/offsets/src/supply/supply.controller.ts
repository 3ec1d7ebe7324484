import type { Asset } from '@carbon/contracts';
import type { Batch, RejectedMessage } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { FollowSupply } from './follow-supply.js';
import { ReadingSuperseded } from './record-supply.js';

/** Takes `asset.published`, a batch at a time. */
@Controller()
export class SupplyController {
  constructor(private readonly followSupply: FollowSupply) {}

  @EventPattern('asset.published')
  async receive(@Payload() batch: Batch<Asset>): Promise<RejectedMessage[]> {
    try {
      return await this.followSupply.record(batch);
    } catch (error) {
      if (error instanceof ReadingSuperseded) this.followSupply.startAfresh(error);
      throw error;
    }
  }
}
