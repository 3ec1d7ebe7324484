import { type EstimateView, estimateIdSchema, MAX_KG, plainText } from '@carbon/contracts';
import { accountOf, checkBody, readParameters, required } from '@carbon/http';
import { Controller, Get, Header, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
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
  @Header('cache-control', 'no-store')
  async create(@Req() request: FastifyRequest): Promise<EstimateView> {
    return this.creator.create(accountOf(request.raw), checkBody(estimateRequest, request.body));
  }

  @Get()
  @Header('cache-control', 'no-store')
  async find(@Req() request: FastifyRequest): Promise<EstimateView> {
    return this.reader.find(accountOf(request.raw), readParameters(request.raw.url ?? '', BY_ID).id);
  }
}
