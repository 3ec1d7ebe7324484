import { type EstimateView, estimateIdSchema } from '@carbon/contracts';
import { accountOf, checkBody, readParameters, required } from '@carbon/http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { estimateRequest } from './estimate-request.js';
import { FindEstimate } from './find-estimate.js';
import { MakeEstimate } from './make-estimate.js';

const ONE = { id: required(estimateIdSchema) };

/** `/v1/estimates`, for the account that the gateway says is asking. */
@Controller('v1/estimates')
export class EstimatesController {
  constructor(
    private readonly makeEstimate: MakeEstimate,
    private readonly findEstimate: FindEstimate,
  ) {}

  /** Answers 201, whether it makes the estimate or has made it before. */
  @Post()
  async make(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EstimateView> {
    const account = accountOf(request.raw);
    void reply.header('cache-control', 'no-store');
    return this.makeEstimate.run(account, checkBody(estimateRequest, request.body));
  }

  @Get()
  async read(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EstimateView> {
    const account = accountOf(request.raw);
    void reply.header('cache-control', 'no-store');
    return this.findEstimate.run(account, readParameters(request.raw.url ?? '', ONE).id);
  }
}
