import { Module } from '@nestjs/common';
import { SupplyModule } from '../supply/supply.module.js';
import { EstimateCreator } from './estimate-creator.js';
import { EstimateReader } from './estimate-reader.js';
import { EstimatesController } from './estimates.controller.js';

/** Prices that are held for offsets. */
@Module({
  imports: [SupplyModule],
  controllers: [EstimatesController],
  providers: [EstimateCreator, EstimateReader],
})
export class EstimatesModule {}
