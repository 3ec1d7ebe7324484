import type { Asset, AssetType } from '@carbon/contracts';
import type { Batch, RejectedMessage } from '@carbon/messaging';
import { Injectable } from '@nestjs/common';
import { Outage } from '../open-search/refusal.js';
import { type Operation, operationOf } from './asset-operation.js';
import { BulkWriter, IndexGone } from './bulk-writer.js';
import { StallGuard } from './stall-guard.js';

/** Brings published and withdrawn assets into the indices of a generation. */
@Injectable()
export class IngestAssets {
  constructor(
    private readonly writer: BulkWriter,
    private readonly guard: StallGuard,
  ) {}

  /** @returns the messages that can never be indexed @throws Outage when the batch must be given again */
  async run({ messages }: Batch<Asset>, aliases: Readonly<Record<AssetType, string>>): Promise<RejectedMessage[]> {
    const now = new Date().toISOString();
    const outcomes = messages.map((message) => operationOf(message, aliases, now));
    const operations = outcomes.filter((outcome): outcome is Operation => 'lines' in outcome);
    const unfit = outcomes.filter((outcome): outcome is RejectedMessage => 'code' in outcome);
    this.guard.look();
    return [...unfit, ...(await this.write(operations))];
  }

  private async write(operations: readonly Operation[]): Promise<RejectedMessage[]> {
    try {
      return await this.writer.write(operations);
    } catch (error) {
      // Nobody is to write into it again. Whoever looks after the generations sees it too, and ends the waiting.
      if (error instanceof IndexGone) throw new Outage(true, error);
      throw error;
    }
  }
}
