import { Cursors } from '@carbon/http';
import { Module } from '@nestjs/common';
import { FulfillmentModule } from '../fulfillment/fulfillment.module.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from '../offsets.config.js';
import { FingerprintReader } from './fingerprint-reader.js';
import { OffsetPager } from './offset-pager.js';
import { OffsetReader } from './offset-reader.js';
import { QueryController } from './query.controller.js';
import { ReceiptReader } from './receipt-reader.js';

/** Reads of offsets, lists and receipts. */
@Module({
  imports: [FulfillmentModule],
  controllers: [QueryController],
  providers: [
    OffsetReader,
    OffsetPager,
    ReceiptReader,
    FingerprintReader,
    {
      provide: Cursors,
      inject: [OFFSETS_CONFIG],
      useFactory: (config: OffsetsConfig) => new Cursors(config.CURSOR_SECRETS),
    },
  ],
})
export class QueryModule {}
