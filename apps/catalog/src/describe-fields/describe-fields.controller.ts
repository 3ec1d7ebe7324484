import { readParameters } from '@carbon/faults';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DescribeFields, type LibrarySchema } from './describe-fields.js';

/** `/v1/assets/schema`. */
@Controller('v1/assets/schema')
export class DescribeFieldsController {
  constructor(private readonly describeFields: DescribeFields) {}

  @Get()
  async schema(
    @Req() { raw }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LibrarySchema> {
    readParameters(raw.url ?? '/', {});
    const schema = await this.describeFields.run();
    void reply.header('cache-control', 'private, max-age=1');
    return schema;
  }
}
