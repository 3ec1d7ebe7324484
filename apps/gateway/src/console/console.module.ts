import { Controller, type DynamicModule, Get, Module, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';
import { sendFile } from '../static-files/served-file.js';
import { ConsoleFiles } from './console-files.js';

const PATH = '/console';

/** `/console`: the page with which people search, offset and follow. Public: it asks for a key itself. */
@Controller(PATH)
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  /** The page is below the slash. */
  @Get()
  redirect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    void reply.redirect(`${PATH}/${request.url.slice(PATH.length)}`, 302);
  }

  @Get('*')
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const [path = ''] = request.url.slice(PATH.length + 1).split('?', 1);
    sendFile(request, reply, this.files.get(path), 'There is no such file. The console is at /console.');
  }
}

/** The console, if `CONSOLE_DIR` names its folder. */
@Module({})
export class ConsoleModule {}

/** Returns the modules of the console: none without a folder. @throws ConfigError for a folder without a console */
export function consoleModules({ CONSOLE_DIR: folder }: Pick<GatewayConfig, 'CONSOLE_DIR'>): readonly DynamicModule[] {
  if (folder === undefined) return [];
  const files = { provide: ConsoleFiles, useValue: new ConsoleFiles(folder) };
  return [{ module: ConsoleModule, controllers: [ConsoleController], providers: [files] }];
}
