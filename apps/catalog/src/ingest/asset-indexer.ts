import type { Asset, AssetType } from '@carbon/contracts';
import type { Batch, RejectedMessage } from '@carbon/messaging';
import { Injectable } from '@nestjs/common';
import { OpenSearchUnavailableError } from '../open-search/open-search-errors.js';
import { operationOf } from './asset-operation.js';
import { BulkWriter, IndexGoneError } from './bulk-writer.js';
import { StallGuard } from './stall-guard.js';

/** Writes published and withdrawn assets to the indices of a generation. */
@Injectable()
export class AssetIndexer {
  constructor(
    private readonly writer: BulkWriter,
    private readonly guard: StallGuard,
  ) {}

  /**
   * @returns the messages that can never be indexed
   * @throws OpenSearchUnavailableError when the consumer must deliver the batch again
   */
  async index(
    { messages }: Batch<Asset>,
    writeAliases: Readonly<Record<AssetType, string>>,
  ): Promise<RejectedMessage[]> {
    const now = new Date().toISOString();
    const outcomes = messages.map((message) => operationOf(message, writeAliases, now));
    const operations = outcomes.filter((outcome) => 'lines' in outcome);
    const rejected = outcomes.filter((outcome) => 'code' in outcome);
    this.guard.check();
    try {
      return [...rejected, ...(await this.writer.write(operations))];
    } catch (error) {
      // The consumer retries until the reconciler closes it, because the index is gone.
      throw error instanceof IndexGoneError ? new OpenSearchUnavailableError(true, error) : error;
    }
  }
}
