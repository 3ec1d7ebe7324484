import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ServedFile, sendFile, servedFile } from '../files/served-file.js';
import { openApiDocument } from './open-api-document.js';

let made: ServedFile | undefined;

/** Made when it is first asked for, and once in a process. */
function documentFile(): ServedFile {
  made ??= servedFile(Buffer.from(JSON.stringify(openApiDocument())), 'application/json; charset=utf-8');
  return made;
}

/** `/openapi.json`: the description of the API. Nobody is asked for a key. */
@Controller('openapi.json')
export class OpenapiController {
  @Get()
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendFile(request, reply, documentFile());
  }
}
