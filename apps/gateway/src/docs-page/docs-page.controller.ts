import { RequestError } from '@carbon/http';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from '../files/served-file.js';
import { DocsFiles } from './docs-files.js';

/** `/docs`: the API's description for people, to be read and tried out in a browser. Nobody is asked for a key. */
@Controller('docs')
export class DocsPageController {
  private readonly files = new DocsFiles();

  @Get()
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendFile(request, reply, this.files.page);
  }

  @Get(':file')
  file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = this.files.of(name);
    if (file === undefined) throw new RequestError('not_found', 'The page has no such file. It is served at /docs.');
    sendFile(request, reply, file);
  }
}
