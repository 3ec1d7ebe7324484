import type { Batch, RejectedMessage } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { RequestedOffset } from '../domain/request.js';
import { StraightThrough } from '../fulfillment/straight-through.js';
import { RecordOffsets } from './record-offsets.js';

/** Takes `offset.requested`, a batch at a time. */
@Controller()
export class ReceiveController {
  constructor(
    private readonly straightThrough: StraightThrough,
    private readonly recordOffsets: RecordOffsets,
  ) {}

  /** The position moves on only after this has resolved, so after every commit. */
  @EventPattern('offset.requested')
  async receive(@Payload() batch: Batch<RequestedOffset>): Promise<RejectedMessage[]> {
    const through = await this.straightThrough.run(batch.messages);
    const messages = batch.messages.filter(({ position }) => !through.has(position));
    return this.recordOffsets.run({ ...batch, messages });
  }
}
