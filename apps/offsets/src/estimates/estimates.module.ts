import { Module } from '@nestjs/common';
import { Preference } from '../domain/preference.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from '../offsets.config.js';
import { SupplyModule } from '../supply/supply.module.js';
import { EstimateCreator } from './estimate-creator.js';
import { EstimatePruner } from './estimate-pruner.js';
import { EstimateReader } from './estimate-reader.js';
import { EstimatesController } from './estimates.controller.js';

/** Prices that are held for offsets. */
@Module({
  imports: [SupplyModule],
  controllers: [EstimatesController],
  providers: [
    EstimateCreator,
    EstimateReader,
    EstimatePruner,
    { provide: Preference, inject: [OFFSETS_CONFIG], useFactory: (config: OffsetsConfig) => config.PREFERENCE },
  ],
  exports: [EstimatePruner],
})
export class EstimatesModule {}
