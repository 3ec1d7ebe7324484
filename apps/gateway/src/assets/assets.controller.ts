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

  @Get('pools')
  @RouteConfig({ scope: 'assets:read' })
  async pools(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.forward('pools', request, reply);
  }

  @Get('projects')
  @RouteConfig({ scope: 'assets:read' })
  async projects(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.forward('projects', request, reply);
  }

  @Get('schema')
  @RouteConfig({ scope: 'assets:read' })
  async schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.forward('schema', request, reply);
  }

  @Get('hints')
  @RouteConfig({ scope: 'assets:read' })
  async hints(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.forward('hints', request, reply);
  }

  @Get('facets')
  @RouteConfig({ scope: 'assets:read' })
  async facets(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.forward('facets', request, reply);
  }

  @Get('complete')
  @RouteConfig({ scope: 'assets:read' })
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.forward('complete', request, reply);
  }

  private async forward(name: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { account } = callerOf(request);
    const url = request.raw.url ?? '';
    const cached = this.responses.get(account, url);
    if (cached !== undefined) {
      sendCached(request, reply, cached);
      return;
    }
    const path = `/v1/assets/${name}${rawQuery(url)}`;
    const ifNoneMatch = request.headers['if-none-match'];
    const sentAt = performance.now();
    const response = await this.catalog.get(path, account, { ifNoneMatch, client: disconnectSignal(reply) });
    this.responses.add(account, url, response, sentAt);
    forwardResponse(reply, response);
  }
}
