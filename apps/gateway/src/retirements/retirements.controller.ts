import { Ids, type RetirementReceiptView } from '@carbon/contracts';
import { readParameters, required } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../auth/authenticator.js';
import { requireIssuedId } from '../requests.js';
import { OffsetLookupClient } from '../upstream/clients.js';
import { forwardResponse, isNotFound, localResponse } from '../upstream/upstream-response.js';

const PARAMETERS = { offset: required(z.string()) };

/** `/v1/retirements`: the ledger entries of an offset. */
@Controller('v1/retirements')
export class RetirementsController {
  constructor(
    private readonly ids: Ids,
    private readonly lookups: OffsetLookupClient,
  ) {}

  /** The receipt has no entries while the offsets service has no row for an accepted id. */
  @Get()
  @RouteConfig({ scope: 'offsets:read' })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { offset } = readParameters(request.raw.url ?? '', PARAMETERS);
    const { account } = callerOf(request);
    requireIssuedId(this.ids, { prefix: 'off', id: offset, account, field: 'offset' });
    const response = await this.lookups.get(`/v1/retirements?offset=${offset}`, account);
    const empty = { offset, status: 'queued', entries: [] } satisfies RetirementReceiptView;
    forwardResponse(reply, isNotFound(response) ? localResponse(JSON.stringify(empty)) : response);
  }
}
