import type { AssetType } from '@carbon/contracts';
import { singleHeader } from '@carbon/faults';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AssetView } from './search-answer.js';
import { SearchAssets } from './search-assets.js';
import { searchParameters } from './search-parameters.js';

/** Whose search it is when the gateway in front says nothing. */
const DEFAULT_ACCOUNT = 'default';

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
    const account = singleHeader(raw, 'x-account') ?? DEFAULT_ACCOUNT;
    const [route = '/'] = url.split('?', 1);
    const { assets, link } = await this.search.run({ type, route, account, parameters: searchParameters(url) });
    if (link !== undefined) void reply.header('link', link);
    return assets;
  }
}
