import { clientGone, readParameters } from '@carbon/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../answers/answer.js';
import { DescribeFields } from './describe-fields.js';

/** `/v1/assets/schema`. */
@Controller('v1/assets/schema')
export class DescribeFieldsController {
  constructor(private readonly describeFields: DescribeFields) {}

  @Get()
  async schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    readParameters(request.raw.url ?? '/', {});
    sendAnswer(request, reply, await this.describeFields.run(clientGone(reply)));
  }
}
