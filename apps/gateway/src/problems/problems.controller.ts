import { RequestError } from '@carbon/http';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ServedFile, sendFile } from '../files/served-file.js';
import { ProblemPages } from './problem-pages.js';

/** `/problems`: what a problem document's `type` points to. Nobody is asked for a key. */
@Controller('problems')
export class ProblemsController {
  private readonly pages = new ProblemPages();

  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    show(this.pages.list(), request, reply);
  }

  @Get(':code')
  page(@Param('code') code: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    show(this.pages.of(code), request, reply);
  }
}

function show(page: ServedFile | undefined, request: FastifyRequest, reply: FastifyReply): void {
  if (page === undefined) throw new RequestError('not_found', 'There is no problem of this name. /problems lists all.');
  sendFile(request, reply, page);
}
