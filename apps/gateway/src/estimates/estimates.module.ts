import { Module } from '@nestjs/common';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { EstimatesController } from './estimates.controller.js';

/** Creates and reads estimates. */
@Module({ imports: [UpstreamModule], controllers: [EstimatesController] })
export class EstimatesModule {}
