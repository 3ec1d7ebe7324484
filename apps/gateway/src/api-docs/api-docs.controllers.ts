import { RequestError } from '@carbon/http';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { addVary, JSON_TYPE, type ServedFile, sendFile, servedFile } from '../static-files/served-file.js';
import { docsFiles, problemPages } from './docs-files.js';
import { openApiDocument } from './openapi-document.js';

let openApiFile: ServedFile | undefined;

/** `/openapi.json`: the description of the API. Public. */
@Controller('openapi.json')
export class OpenApiController {
  @Get()
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    // Created at the first request, once per process.
    openApiFile ??= servedFile(Buffer.from(JSON.stringify(openApiDocument())), JSON_TYPE);
    sendFile(request, reply, openApiFile);
  }
}

/** `/`: redirects a browser to the console, or without one to the documentation; other clients get 404. Public. */
@Controller()
export class RootController {
  private readonly entry: string;

  constructor(@Inject(GATEWAY_CONFIG) { CONSOLE_DIR }: GatewayConfig) {
    this.entry = CONSOLE_DIR === undefined ? '/docs' : '/console/';
  }

  @Get()
  root(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): void {
    addVary(reply, 'Accept');
    if (!headers.accept?.includes('text/html'))
      throw new RequestError('not_found', 'No route matches this URL. The API is described at /docs.');
    void reply.redirect(this.entry, 302);
  }
}

/** `/docs`: the description for people, to read and try out in a browser. Public. */
@Controller('docs')
export class DocsController {
  private readonly files = docsFiles();

  @Get(['', ':file'])
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('file') name = ''): void {
    sendFile(request, reply, this.files.get(name), 'There is no such file. The documentation is at /docs.');
  }
}

/** `/problems`: the pages that the `type` of a problem document points to. Public. */
@Controller('problems')
export class ProblemsController {
  private readonly pages = problemPages();

  @Get(['', ':code'])
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('code') code = ''): void {
    sendFile(request, reply, this.pages.get(code), 'No problem has this code. /problems lists all codes.');
  }
}
