import { type EstimateView, estimateIdSchema, MAX_KG, plainText } from '@carbon/contracts';
import { accountOf, checkBody, readParameters, required } from '@carbon/http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { EstimateCreator } from './estimate-creator.js';
import { EstimateReader } from './estimate-reader.js';

const BY_ID = { id: required(estimateIdSchema) };

const time = z.iso
  .datetime({ precision: 3, error: 'must be a time in UTC with milliseconds (RFC 3339)' })
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() > 0, { error: 'must be later than 1970' });

/** The gateway chooses the id and the times, its client the weight and the asset. */
const estimateRequest = z
  .strictObject({
    id: estimateIdSchema,
    kgCO2e: z.number().positive().max(MAX_KG),
    asset: plainText(1, 256).optional(),
    createdAt: time,
    expiresAt: time,
  })
  .refine(({ createdAt, expiresAt }) => !(createdAt >= expiresAt), {
    path: ['expiresAt'],
    error: 'must be later than createdAt',
  });

/** Creates and reads estimates for the account that the gateway names in `x-account`. */
@Controller('v1/estimates')
export class EstimatesController {
  constructor(
    private readonly creator: EstimateCreator,
    private readonly reader: EstimateReader,
  ) {}

  /** Responds 201, also where the estimate exists already. */
  @Post()
  async create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EstimateView> {
    const account = accountOf(request.raw);
    void reply.header('cache-control', 'no-store');
    return this.creator.create(account, checkBody(estimateRequest, request.body));
  }

  @Get()
  async find(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EstimateView> {
    const account = accountOf(request.raw);
    void reply.header('cache-control', 'no-store');
    return this.reader.find(account, readParameters(request.raw.url ?? '', BY_ID).id);
  }
}
