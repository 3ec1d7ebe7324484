import { offsetIdSchema } from '@carbon/contracts';
import { accountOf, readParameters, required } from '@carbon/http';
import { Controller, Get, Header, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FindFingerprint, type RecordedFingerprint } from './find-fingerprint.js';

const PARAMETERS = { offset: required(offsetIdSchema) };

/** `GET /internal/fingerprints`: for the gateway alone, which serves no such address itself. */
@Controller('internal/fingerprints')
export class FingerprintController {
  constructor(private readonly findFingerprint: FindFingerprint) {}

  @Get()
  @Header('cache-control', 'no-store')
  async read(@Req() request: FastifyRequest): Promise<RecordedFingerprint> {
    const account = accountOf(request.raw);
    return await this.findFingerprint.run(account, readParameters(request.raw.url ?? '', PARAMETERS).offset);
  }
}
