import { offsetIdSchema } from '@carbon/contracts';
import { accountOf, queryPairs, readParameters, required } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FindOffset } from './find-offset.js';
import { ListOffsets, type OffsetPage } from './list-offsets.js';
import { readListQuestion } from './list-parameters.js';

const ONE = { id: required(offsetIdSchema) };

/** `GET /v1/offsets`: the list, or the one offset that `id` names, of the account that the gateway says is asking. */
@Controller('v1/offsets')
export class ReadController {
  constructor(
    private readonly findOffset: FindOffset,
    private readonly listOffsets: ListOffsets,
  ) {}

  @Get()
  async read(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    const account = accountOf(request.raw);
    const url = request.raw.url ?? '';
    void reply.header('cache-control', 'no-store');
    if (queryPairs(url).some(({ name }) => name === 'id')) {
      return this.findOffset.run(account, readParameters(url, ONE).id);
    }
    return answer(reply, await this.listOffsets.run(account, readListQuestion(url)));
  }
}

function answer(reply: FastifyReply, { offsets, link }: OffsetPage) {
  if (link !== undefined) void reply.header('link', link);
  return offsets;
}
