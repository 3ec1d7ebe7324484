import { type JsonResponse, readParameters } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyCached } from '../response-cache/reply-cached.js';
import { ResponseCache } from '../response-cache/response-cache.js';
import { librarySchema } from './library-schema.js';
import { LibraryStatistics } from './library-statistics.js';

/** Memory for the one response, even if every value in it has the maximum length. */
const MAX_BYTES = 16 * 1024 * 1024;

/** `/v1/assets/schema`. */
@Controller('v1/assets/schema')
export class SchemaController {
  private readonly cache = new ResponseCache<JsonResponse>(MAX_BYTES);

  constructor(private readonly statistics: LibraryStatistics) {}

  @Get()
  async schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    readParameters(request.raw.url ?? '/', {});
    const find = async (signal: AbortSignal) => librarySchema(await this.statistics.read(signal));
    await replyCached(this.cache, 'schema', find, request, reply);
  }
}
