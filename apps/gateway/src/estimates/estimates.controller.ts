import { Ids } from '@carbon/contracts';
import { readParameters, required } from '@carbon/http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../auth/authenticator.js';
import { requireIssuedId } from '../requests.js';
import { OffsetsClient } from '../upstream/clients.js';
import { forwardResponse } from '../upstream/upstream-response.js';
import { readEstimateRequest } from './estimate-request.js';

const VALID_MS = 24 * 60 * 60 * 1_000;
const GET_PARAMETERS = { id: required(z.string()) };

/**
 * `/v1/estimates`: prices that are valid for a limited time. The id is created here, because the gateway has the secrets; the
 * price by the offsets service, which has the supply.
 */
@Controller('v1/estimates')
export class EstimatesController {
  constructor(
    private readonly ids: Ids,
    private readonly offsets: OffsetsClient,
  ) {}

  /** After a 503 an unused estimate may exist, which is harmless. */
  @Post()
  @RouteConfig({ scope: 'offsets:write' })
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { account } = callerOf(request);
    const estimate = readEstimateRequest(request);
    const now = Date.now();
    const id = this.ids.generate('est', account, now);
    const [createdAt, expiresAt] = [now, now + VALID_MS].map((time) => new Date(time).toISOString());
    const response = await this.offsets.post('/v1/estimates', account, { id, ...estimate, createdAt, expiresAt });
    if (response.status === 201) void reply.header('location', `/v1/estimates?id=${id}`);
    forwardResponse(reply, response);
  }

  /** The offsets service's 404 is passed on: an id is generated before its estimate exists. */
  @Get()
  @RouteConfig({ scope: 'offsets:read' })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = readParameters(request.raw.url ?? '', GET_PARAMETERS);
    const { account } = callerOf(request);
    requireIssuedId(this.ids, { prefix: 'est', id, account, field: 'id' });
    forwardResponse(reply, await this.offsets.get(`/v1/estimates?id=${id}`, account));
  }
}
