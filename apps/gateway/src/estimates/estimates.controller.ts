import { readParameters, required } from '@carbon/http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../auth/authenticator.js';
import { forwardResponse } from '../upstream/upstream-response.js';
import { EstimatesService, readEstimateRequest } from './estimates.service.js';

const GET_PARAMETERS = { id: required(z.string()) };

/** `/v1/estimates`: prices that are valid for a limited time. */
@Controller('v1/estimates')
export class EstimatesController {
  constructor(private readonly estimates: EstimatesService) {}

  @Post()
  @RouteConfig({ scope: 'offsets:write' })
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id, response } = await this.estimates.create(callerOf(request).account, readEstimateRequest(request));
    if (response.status === 201) void reply.header('location', `/v1/estimates?id=${id}`);
    forwardResponse(reply, response);
  }

  @Get()
  @RouteConfig({ scope: 'offsets:read' })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = readParameters(request.raw.url ?? '', GET_PARAMETERS);
    forwardResponse(reply, await this.estimates.get(callerOf(request).account, id));
  }
}
