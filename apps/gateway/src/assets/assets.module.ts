import { Module } from '@nestjs/common';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { AssetsController } from './assets.controller.js';

/** Searches and describes assets. */
@Module({ imports: [UpstreamModule], controllers: [AssetsController] })
export class AssetsModule {}
