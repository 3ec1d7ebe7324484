import type { Asset } from '@carbon/contracts';
import type { ReceivedBatch, Rejected } from '@carbon/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { IngestAssets } from './ingest-assets.js';

/** Where the topic of the asset library enters. */
@Controller()
export class IngestAssetsController {
  constructor(private readonly ingest: IngestAssets) {}

  @EventPattern('asset.published')
  take(@Payload() batch: ReceivedBatch<Asset>): Promise<Rejected[]> {
    return this.ingest.run(batch);
  }
}
