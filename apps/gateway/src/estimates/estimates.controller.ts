import { readParameters, required } from '@carbon/http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../edge/caller.js';
import { passOn } from '../upstream/pass-on.js';
import { CreateEstimate } from './create-estimate/create-estimate.js';
import { readCreateEstimate } from './create-estimate/read-create-estimate.js';
import { GetEstimate } from './get-estimate/get-estimate.js';

const GET_PARAMETERS = { id: required(z.string()) };

/** `/v1/estimates`: prices that are held for a while. */
@Controller('v1/estimates')
export class EstimatesController {
  constructor(
    private readonly createEstimate: CreateEstimate,
    private readonly getEstimate: GetEstimate,
  ) {}

  @Post()
  @RouteConfig({ scope: 'offsets:write' })
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const wish = readCreateEstimate(request);
    const { id, answer } = await this.createEstimate.run(callerOf(request).account, wish);
    if (answer.status === 201) void reply.header('location', `/v1/estimates?id=${id}`);
    passOn(reply, answer);
  }

  @Get()
  @RouteConfig({ scope: 'offsets:read' })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = readParameters(request.raw.url ?? '', GET_PARAMETERS);
    passOn(reply, await this.getEstimate.run(callerOf(request).account, id));
  }
}
