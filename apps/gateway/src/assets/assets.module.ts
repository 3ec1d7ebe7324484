import { Module } from '@nestjs/common';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { AssetResponses } from './asset-responses.js';
import { AssetsController } from './assets.controller.js';

/** Searches and describes assets. */
@Module({ imports: [UpstreamModule], controllers: [AssetsController], providers: [AssetResponses] })
export class AssetsModule {}
