import { acceptedMessage } from '@carbon/contracts';
import { queryPairs, readParameters, required } from '@carbon/faults';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Accounts } from '../edge/accounts.js';
import { passOn } from '../upstream/pass-on.js';
import { CreateOffset } from './create-offset/create-offset.js';
import { readCreateOffset } from './create-offset/read-create-offset.js';
import { GetOffset } from './get-offset/get-offset.js';
import { ListOffsets } from './list-offsets/list-offsets.js';

const GET_PARAMETERS = { id: required(z.string()) };

/** `/v1/offsets`. Handlers write their answers themselves: nothing of Nest stands between them and Fastify. */
@Controller('v1/offsets')
export class OffsetsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly createOffset: CreateOffset,
    private readonly getOffset: GetOffset,
    private readonly listOffsets: ListOffsets,
  ) {}

  @Post()
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { wish, key } = readCreateOffset(request);
    const { id, replayed } = await this.createOffset.run(this.accounts.of(request), wish, key);
    if (replayed) void reply.header('idempotency-replayed', 'true');
    void reply
      .code(202)
      .header('location', `/v1/offsets?id=${id}`)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(acceptedMessage(id)));
  }

  /** One offset when there is an `id`, which then stands alone; else the list. */
  @Get()
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const address = request.raw.url ?? '';
    const account = this.accounts.of(request);
    const namesId = queryPairs(address).some(({ name }) => name === 'id');
    const id = namesId ? readParameters(address, GET_PARAMETERS).id : undefined;
    passOn(
      reply,
      id === undefined ? await this.listOffsets.run(account, address) : await this.getOffset.run(account, id),
    );
  }
}
