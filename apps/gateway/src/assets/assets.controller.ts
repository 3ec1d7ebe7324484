import { disconnectSignal, sendCached } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../auth/authenticator.js';
import { rawQuery } from '../requests.js';
import { CatalogClient } from '../upstream/clients.js';
import { forwardResponse } from '../upstream/upstream-response.js';
import { AssetResponseCache } from './asset-response-cache.js';

/** `/v1/assets`. The catalog parses all parameters and creates the pages and entity tags. */
@Controller('v1/assets')
export class AssetsController {
  constructor(
    private readonly catalog: CatalogClient,
    private readonly responses: AssetResponseCache,
  ) {}

  /** All routes of assets. */
  @Get(['pools', 'projects', 'schema', 'hints', 'facets', 'complete'])
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
    const ifNoneMatch = request.headers['if-none-match'];
    const sentAt = performance.now();
    const response = await this.catalog.get(path, account, { ifNoneMatch, client: disconnectSignal(reply) });
    this.responses.add(account, url, response, sentAt);
    forwardResponse(reply, response);
  }
}
