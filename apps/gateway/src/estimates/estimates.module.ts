import { Module } from '@nestjs/common';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { EstimatesController } from './estimates.controller.js';
import { EstimatesService } from './estimates.service.js';

/** Creates and reads estimates. */
@Module({ imports: [UpstreamModule], controllers: [EstimatesController], providers: [EstimatesService] })
export class EstimatesModule {}
