import type { Batch, RejectedMessage } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { SingleTransactionPath } from '../fulfillment/single-transaction.js';
import { OffsetRecorder, receivedRequests } from './record-offsets.js';
import type { RequestedRow } from './requests.js';

/** Consumes `offset.requested`, a batch at a time. */
@Controller()
export class ReceiveController {
  constructor(
    private readonly path: SingleTransactionPath,
    private readonly recorder: OffsetRecorder,
  ) {}

  /**
   * Completes the offsets that can be completed in one transaction, and records the others. Kafka's position advances only
   * after this has resolved, and therefore after every commit.
   */
  @EventPattern('offset.requested')
  async receive(@Payload() { messages }: Batch<RequestedRow>): Promise<RejectedMessage[]> {
    const arrivals = receivedRequests(messages);
    const completed = await this.path.completeNew(arrivals.map(({ row }) => row));
    return this.recorder.run(arrivals.filter(({ row }) => !completed.has(row)));
  }
}
