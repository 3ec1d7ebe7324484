import { Module } from '@nestjs/common';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { AssetResponseCache } from './asset-response-cache.js';
import { AssetsController } from './assets.controller.js';

/** Searches and describes assets. */
@Module({ imports: [UpstreamModule], controllers: [AssetsController], providers: [AssetResponseCache] })
export class AssetsModule {}
