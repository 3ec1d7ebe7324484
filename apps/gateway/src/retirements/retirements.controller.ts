import { readParameters, required } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../edge/caller.js';
import { passOn } from '../upstream/pass-on.js';
import { GetReceipt } from './get-receipt/get-receipt.js';

const PARAMETERS = { offset: required(z.string()) };

/** `/v1/retirements`: what was retired for an offset, as the ledger has it. */
@Controller('v1/retirements')
export class RetirementsController {
  constructor(private readonly getReceipt: GetReceipt) {}

  @Get()
  @RouteConfig({ scope: 'offsets:read' })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { offset } = readParameters(request.raw.url ?? '', PARAMETERS);
    passOn(reply, await this.getReceipt.run(callerOf(request).account, offset));
  }
}
