import type { AssetType } from '@carbon/contracts';
import { accountOf, disconnectSignal, sendCached, setCachedAge } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AssetSearch } from './asset-search.js';
import { CompletionSearch } from './completion-search.js';
import { FacetSearch } from './facet-search.js';
import { HintSearch } from './hint-search.js';

/** The searches of the asset library. Handlers reply with bytes, so Nest must not serialize. */
@Controller('v1/assets')
export class SearchController {
  constructor(
    private readonly assets: AssetSearch,
    private readonly hintSearch: HintSearch,
    private readonly facetSearch: FacetSearch,
    private readonly completionSearch: CompletionSearch,
  ) {}

  @Get('pools')
  async pools(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.search('POOL', request, reply);
  }

  @Get('projects')
  async projects(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.search('PROJECT', request, reply);
  }

  @Get('hints')
  async hints(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(this.hintSearch, request, reply);
  }

  @Get('facets')
  async facets(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(this.facetSearch, request, reply);
  }

  @Get('complete')
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(this.completionSearch, request, reply);
  }

  private async respond(
    search: HintSearch | FacetSearch | CompletionSearch,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const response = await search.response(request.raw.url ?? '/', disconnectSignal(reply));
    setCachedAge(reply, response);
    sendCached(request, reply, response);
  }

  private async search(type: AssetType, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const search = { type, account: accountOf(request.raw), url: request.raw.url ?? '/' };
    const cached = this.assets.cached(search);
    // Only for a search that is repeated: the gateway need not cache the others.
    if (cached !== undefined) setCachedAge(reply, cached);
    sendCached(request, reply, cached ?? (await this.assets.search(search, disconnectSignal(reply))));
  }
}
