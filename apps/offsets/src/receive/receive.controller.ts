import type { ReceivedBatch, Rejected } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { RequestedOffset } from '../domain/request.js';
import { RecordOffsets } from './record-offsets.js';

/** Takes `offset.requested`, a batch at a time. */
@Controller()
export class ReceiveController {
  constructor(private readonly recordOffsets: RecordOffsets) {}

  /** The position moves on only after this has resolved, so after the commit. */
  @EventPattern('offset.requested')
  receive(@Payload() batch: ReceivedBatch<RequestedOffset>): Promise<Rejected[]> {
    return this.recordOffsets.run(batch);
  }
}
