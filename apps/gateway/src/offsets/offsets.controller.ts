import { acceptedMessage, LIST_PARAMETERS } from '@carbon/contracts';
import { optional, queryPairs, readParameters, required } from '@carbon/http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../edge/caller.js';
import { passOn } from '../upstream/pass-on.js';
import { CreateOffset } from './create-offset/create-offset.js';
import { readCreateOffset } from './create-offset/read-create-offset.js';
import { GetOffset } from './get-offset/get-offset.js';
import { ListOffsets } from './list-offsets/list-offsets.js';

/** What the list takes is known here, and says nothing about one offset. */
const NOT_WITH_ID = optional(
  z.string().refine(() => false, { error: 'cannot be sent together with id' }),
  { mayBeEmpty: true },
);

const GET_PARAMETERS = {
  ...Object.fromEntries(Object.keys(LIST_PARAMETERS).map((name) => [name, NOT_WITH_ID])),
  id: required(z.string()),
};

/** `/v1/offsets`. Handlers write their answers themselves: nothing of Nest stands between them and Fastify. */
@Controller('v1/offsets')
export class OffsetsController {
  constructor(
    private readonly createOffset: CreateOffset,
    private readonly getOffset: GetOffset,
    private readonly listOffsets: ListOffsets,
  ) {}

  @Post()
  @RouteConfig({ scope: 'offsets:write', busy: 'not_accepted' })
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { wish, key } = readCreateOffset(request);
    const { id, replayed } = await this.createOffset.run(callerOf(request).account, wish, key);
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
  @RouteConfig({ scope: 'offsets:read' })
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const address = request.raw.url ?? '';
    const account = callerOf(request).account;
    const namesId = queryPairs(address).some(({ name }) => name === 'id');
    const id = namesId ? readParameters(address, GET_PARAMETERS).id : undefined;
    passOn(
      reply,
      id === undefined ? await this.listOffsets.run(account, address) : await this.getOffset.run(account, id),
    );
  }
}
