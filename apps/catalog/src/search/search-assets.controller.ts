import type { AssetType } from '@carbon/contracts';
import { accountOf, clientGone } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../answers/answer.js';
import { SearchAssets } from './search-assets.js';

/** The two searches of the asset library. Handlers write their answers themselves, which are bytes already. */
@Controller('v1/assets')
export class SearchAssetsController {
  constructor(private readonly search: SearchAssets) {}

  @Get('pools')
  async pools(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer('POOL', request, reply);
  }

  @Get('projects')
  async projects(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer('PROJECT', request, reply);
  }

  private async answer(type: AssetType, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const question = { type, account: accountOf(request.raw), address: request.raw.url ?? '/' };
    sendAnswer(request, reply, await this.search.run(question, clientGone(reply)));
  }
}
