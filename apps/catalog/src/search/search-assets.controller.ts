import type { AssetType } from '@carbon/contracts';
import { accountOf } from '@carbon/faults';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AssetView } from './search-answer.js';
import { SearchAssets } from './search-assets.js';
import { searchParameters } from './search-parameters.js';

/** The index refreshes every second, so an answer of the last second is as good as a new one. */
const FRESH = 'private, max-age=1';

/** The two searches of the asset library. */
@Controller('v1/assets')
export class SearchAssetsController {
  constructor(private readonly search: SearchAssets) {}

  @Get('pools')
  pools(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.answer('POOL', request, reply);
  }

  @Get('projects')
  projects(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.answer('PROJECT', request, reply);
  }

  private async answer(type: AssetType, { raw }: FastifyRequest, reply: FastifyReply): Promise<readonly AssetView[]> {
    const url = raw.url ?? '/';
    const account = accountOf(raw);
    const [route = '/'] = url.split('?', 1);
    const { assets, link } = await this.search.run({ type, route, account, parameters: searchParameters(url) });
    void reply.header('cache-control', FRESH);
    if (link !== undefined) void reply.header('link', link);
    return assets;
  }
}
