import type { AssetType } from '@carbon/contracts';
import { accountOf, clientGone } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCached } from '../response-cache/json-response.js';
import { AssetSearch } from './asset-search.js';

/** The searches of the asset library. Handlers reply with bytes, so Nest must not serialize. */
@Controller('v1/assets')
export class SearchController {
  constructor(private readonly assets: AssetSearch) {}

  @Get('pools')
  async pools(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.search('POOL', request, reply);
  }

  @Get('projects')
  async projects(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.search('PROJECT', request, reply);
  }

  private async search(type: AssetType, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const search = { type, account: accountOf(request.raw), address: request.raw.url ?? '/' };
    sendCached(request, reply, await this.assets.search(search, clientGone(reply)));
  }
}
