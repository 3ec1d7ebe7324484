import { Module } from '@nestjs/common';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { RetirementsController } from './retirements.controller.js';

/** Reads receipts. */
@Module({ imports: [UpstreamModule], controllers: [RetirementsController] })
export class RetirementsModule {}
