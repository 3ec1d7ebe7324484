import type { Asset } from '@carbon/contracts';
import type { ReceivedBatch, Rejected } from '@carbon/messaging';
import { Injectable } from '@nestjs/common';
import { LibraryIndex } from '../indexing/library-index.js';
import { Outage } from '../open-search/refusal.js';
import { type Operation, operationOf } from './asset-operation.js';
import { BulkWriter, IndexGone } from './bulk-writer.js';
import { ProcessEnd } from './process-end.js';
import { StallGuard } from './stall-guard.js';

/** Brings published and withdrawn assets into the generation that this instance feeds. */
@Injectable()
export class IngestAssets {
  constructor(
    private readonly library: LibraryIndex,
    private readonly writer: BulkWriter,
    private readonly guard: StallGuard,
    private readonly end: ProcessEnd,
  ) {}

  /** @returns the messages that can never be indexed @throws Outage when the batch must be given again */
  async run({ messages }: ReceivedBatch<Asset>): Promise<Rejected[]> {
    const { indices } = this.library.generation;
    const now = new Date();
    const outcomes = messages.map((message) => operationOf(message, indices, now));
    const operations = outcomes.filter((outcome): outcome is Operation => 'lines' in outcome);
    const unfit = outcomes.filter((outcome): outcome is Rejected => 'code' in outcome);
    this.guard.look();
    return [...unfit, ...(await this.write(operations))];
  }

  private async write(operations: readonly Operation[]): Promise<Rejected[]> {
    try {
      return await this.writer.write(operations);
    } catch (error) {
      if (!(error instanceof IndexGone)) throw error;
      // A fresh process finds, or builds, a generation; this one's group has moved past what is lost.
      this.end.because(error);
      throw new Outage(true, error);
    }
  }
}
