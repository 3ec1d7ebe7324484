import { RequestError } from '@carbon/http';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openApiDocument } from './openapi-document.js';
import { DocsFiles, ProblemPages, type ServedFile, sendFile, servedFile } from './static-files.js';

let openApiFile: ServedFile | undefined;

/** `/openapi.json`: the description of the API. Public. */
@Controller('openapi.json')
export class OpenApiController {
  @Get()
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    // Created at the first request, once per process.
    openApiFile ??= servedFile(Buffer.from(JSON.stringify(openApiDocument())), 'application/json; charset=utf-8');
    sendFile(request, reply, openApiFile);
  }
}

/** `/`: leads a browser to the documentation; a program gets the problem document of an unknown path. Public. */
@Controller()
export class RootController {
  @Get()
  root(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): void {
    const varies = [reply.getHeader('vary'), 'Accept'].filter((name) => name !== undefined);
    void reply.header('vary', varies.join(', '));
    if (!headers.accept?.includes('text/html'))
      throw new RequestError('not_found', 'No route matches this URL. The API is described at /docs.');
    void reply.redirect('/docs', 302);
  }
}

/** `/docs`: the description for people, to read and try out in a browser. Public. */
@Controller('docs')
export class DocsController {
  constructor(private readonly files: DocsFiles) {}

  @Get()
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendFile(request, reply, this.files.page);
  }

  @Get(':file')
  file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendFile(request, reply, this.files.get(name), 'There is no such file. The documentation is at /docs.');
  }
}

/** `/problems`: the pages that the `type` of a problem document points to. Public. */
@Controller('problems')
export class ProblemsController {
  constructor(private readonly pages: ProblemPages) {}

  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendFile(request, reply, this.pages.list);
  }

  @Get(':code')
  page(@Param('code') code: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendFile(request, reply, this.pages.get(code), 'There is no problem with this code. /problems lists all.');
  }
}
