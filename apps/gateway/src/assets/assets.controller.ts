import { disconnectSignal, sendCached } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../auth/authenticator.js';
import { rawQuery } from '../requests.js';
import { CatalogClient } from '../upstream/clients.js';
import { forwardResponse } from '../upstream/upstream-response.js';
import { AssetResponseCache } from './asset-response-cache.js';
import { ASSET_PATHS } from './assets.openapi.js';

/** Characters of `If-None-Match` that are forwarded: about a hundred entity tags. Without it the response is an ordinary 200. */
const MAX_IF_NONE_MATCH = 4_096;

/** The routes of {@link ASSET_PATHS}. The catalog parses all parameters and creates the pages and entity tags. */
@Controller()
export class AssetsController {
  constructor(
    private readonly catalog: CatalogClient,
    private readonly responses: AssetResponseCache,
  ) {}

  @Get(Object.keys(ASSET_PATHS))
  @RouteConfig({ scope: 'assets:read' })
  async forward(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { account } = callerOf(request);
    const url = request.raw.url ?? '';
    const cached = this.responses.get(account, url);
    if (cached !== undefined) {
      sendCached(request, reply, cached);
      return;
    }
    const path = `${request.routeOptions.url}${rawQuery(url)}`;
    const tags = request.headers['if-none-match'];
    // A longer list, with the headers that the gateway adds, could exceed what the catalog accepts.
    const ifNoneMatch = tags !== undefined && tags.length <= MAX_IF_NONE_MATCH ? tags : undefined;
    const sentAt = performance.now();
    const response = await this.catalog.get(path, account, { ifNoneMatch, client: disconnectSignal(reply) });
    this.responses.add(account, url, response, sentAt);
    forwardResponse(reply, response);
  }
}
