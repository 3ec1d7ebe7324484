import { offsetIdSchema, type RetirementReceiptView } from '@carbon/contracts';
import { accountOf, readParameters, required } from '@carbon/http';
import { Controller, Get, Header, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FindReceipt } from './find-receipt.js';

const QUESTION = { offset: required(offsetIdSchema) };

/** `GET /v1/retirements`: the receipt of one offset of the account that the gateway says is asking. */
@Controller('v1/retirements')
export class ReceiptController {
  constructor(private readonly findReceipt: FindReceipt) {}

  @Get()
  @Header('cache-control', 'no-store')
  async read(@Req() request: FastifyRequest): Promise<RetirementReceiptView> {
    const account = accountOf(request.raw);
    return this.findReceipt.run(account, readParameters(request.raw.url ?? '', QUESTION).offset);
  }
}
