import type { AssetType } from '@carbon/contracts';
import { accountOf, disconnectSignal, type JsonResponse, sendCached, setCachedAge } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyCached } from '../response-cache/reply-cached.js';
import { ResponseCache } from '../response-cache/response-cache.js';
import { AssetSearch } from './asset-search.js';
import { findCompletions } from './completion-search.js';
import { findFacets } from './facet-search.js';
import { findHints } from './hint-search.js';
import { SearchClient } from './search-client.js';

/** Memory of the cache of hints, facets and completions. */
const MAX_BYTES = 12 * 1024 * 1024;

/** The searches of the asset library. Handlers reply with bytes, so Nest must not serialize. */
@Controller('v1/assets')
export class SearchController {
  /** By URL. */
  private readonly cache = new ResponseCache<JsonResponse>(MAX_BYTES);

  constructor(
    private readonly assets: AssetSearch,
    private readonly client: SearchClient,
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
    await this.respond(findHints, request, reply);
  }

  @Get('facets')
  async facets(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(findFacets, request, reply);
  }

  @Get('complete')
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(findCompletions, request, reply);
  }

  private async respond(
    find: (url: string, client: SearchClient, signal: AbortSignal) => Promise<object>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const url = request.raw.url ?? '/';
    await replyCached(this.cache, url, (signal) => find(url, this.client, signal), request, reply);
  }

  private async search(type: AssetType, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const search = { type, account: accountOf(request.raw), url: request.raw.url ?? '/' };
    const cached = this.assets.cached(search);
    // Only for a search that is repeated: the gateway need not cache the others.
    if (cached !== undefined) setCachedAge(reply, cached);
    sendCached(request, reply, cached ?? (await this.assets.search(search, disconnectSignal(reply))));
  }
}
