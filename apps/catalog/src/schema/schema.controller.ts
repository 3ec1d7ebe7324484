import { disconnectSignal, readParameters, sendCached, setCachedAge } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LibrarySchemas } from './library-schemas.js';

/** `/v1/assets/schema`. */
@Controller('v1/assets/schema')
export class SchemaController {
  constructor(private readonly schemas: LibrarySchemas) {}

  @Get()
  async schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    readParameters(request.raw.url ?? '/', {});
    const response = await this.schemas.response(disconnectSignal(reply));
    setCachedAge(reply, response);
    sendCached(request, reply, response);
  }
}
