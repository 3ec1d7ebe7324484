import { clientGone } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../edge/caller.js';
import { passOn } from '../upstream/pass-on.js';
import { AskCatalog, type Asked } from './ask-catalog/ask-catalog.js';

/** `/v1/assets`. */
@Controller('v1/assets')
export class AssetsController {
  constructor(private readonly askCatalog: AskCatalog) {}

  @Get('pools')
  @RouteConfig({ scope: 'assets:read' })
  async pools(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.ask('pools', request, reply);
  }

  @Get('projects')
  @RouteConfig({ scope: 'assets:read' })
  async projects(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.ask('projects', request, reply);
  }

  @Get('schema')
  @RouteConfig({ scope: 'assets:read' })
  async schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.ask('schema', request, reply);
  }

  private async ask(what: Asked, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answer = await this.askCatalog.run(what, {
      account: callerOf(request).account,
      address: request.raw.url ?? '',
      ifNoneMatch: request.headers['if-none-match'],
      gone: clientGone(reply),
    });
    passOn(reply, answer);
  }
}
