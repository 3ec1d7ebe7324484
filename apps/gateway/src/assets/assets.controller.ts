import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Accounts } from '../edge/accounts.js';
import { passOn } from '../upstream/pass-on.js';
import { SearchAssets, type Searchable } from './search-assets/search-assets.js';

/** `/v1/assets`. */
@Controller('v1/assets')
export class AssetsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly searchAssets: SearchAssets,
  ) {}

  @Get('pools')
  async pools(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.search('pools', request, reply);
  }

  @Get('projects')
  async projects(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.search('projects', request, reply);
  }

  private async search(what: Searchable, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = request.raw.url ?? '';
    passOn(reply, await this.searchAssets.run(what, this.accounts.of(request), address));
  }
}
