import { type AcceptedView, acceptedMessage, LIST_PARAMETERS } from '@carbon/contracts';
import { optional, queryPairs, readParameters, required } from '@carbon/http';
import { Controller, Get, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../auth/authenticator.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { forwardResponse } from '../upstream/upstream-response.js';
import { readOffsetRequest } from './offset-request.js';
import { OffsetsService } from './offsets.service.js';

/** The parameters of the list are known, but not allowed with an id. */
const NOT_WITH_ID = optional(
  z.string().refine(() => false, { error: 'cannot be sent together with id' }),
  { mayBeEmpty: true },
);

const GET_PARAMETERS = {
  ...Object.fromEntries(Object.keys(LIST_PARAMETERS).map((name) => [name, NOT_WITH_ID])),
  id: required(z.string()),
};

/** `/v1/offsets`. */
@Controller('v1/offsets')
export class OffsetsController {
  constructor(
    private readonly offsets: OffsetsService,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  @Post()
  @HttpCode(202)
  @Header('cache-control', 'no-store')
  @RouteConfig({ scope: 'offsets:write', overload: 'not_accepted' })
  async create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<AcceptedView> {
    const { account, key: apiKey } = callerOf(request);
    const isKeyRequired = this.config.IDEMPOTENCY_KEY_REQUIRED || apiKey?.idempotencyKeyRequired === true;
    const { request: offsetRequest, key } = readOffsetRequest(request, isKeyRequired);
    const { id, isReplay } = await this.offsets.create(account, offsetRequest, key);
    if (isReplay) void reply.header('idempotency-replayed', 'true');
    void reply.header('location', `/v1/offsets?id=${id}`);
    return acceptedMessage(id);
  }

  /** Returns one offset with an `id`, which is then the only parameter; else the list. */
  @Get()
  @RouteConfig({ scope: 'offsets:read' })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const url = request.raw.url ?? '';
    const { account } = callerOf(request);
    const hasId = queryPairs(url).some(({ name }) => name === 'id');
    const response = hasId
      ? await this.offsets.get(account, readParameters(url, GET_PARAMETERS).id)
      : await this.offsets.list(account, url);
    forwardResponse(reply, response);
  }
}
