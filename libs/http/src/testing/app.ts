import { integer, optional, required } from '@carbon/contracts';
import { Body, Controller, Get, HttpCode, Module, Param, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { z } from 'zod';
import { checkBody } from '../body.js';
import { RequestError, TransientError } from '../errors.js';
import { HttpAdapter, useProblemFilter } from '../http-adapter.js';
import { readParameters } from '../parameters.js';
import type { HttpLimits } from '../server-options.js';

const thing = z.strictObject({ weight: z.number().positive({ error: 'must be above 0' }) });

@Controller('things')
class ThingsController {
  @Get()
  list(@Req() request: { raw: { url: string } }) {
    const criteria = required(z.string(), { mayBeEmpty: true });
    return readParameters(request.raw.url, { criteria, limit: optional(integer(1, 100)) });
  }

  @Post()
  @HttpCode(202)
  make(@Body() body: unknown) {
    return checkBody(thing, body);
  }

  @Get('bug')
  bug(): never {
    throw Object.assign(new Error('password=hunter2'), { statusCode: 404, query: 'SELECT secret' });
  }

  @Get('key')
  key(): never {
    throw new RequestError('unauthorized', 'Send a key.');
  }

  @Get('away')
  away(): never {
    throw new TransientError('not_accepted', 'Try again.', { members: { retryKey: 'k-1' } });
  }

  @Get('hangs')
  hangs(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Get('slow/:note')
  async slow(@Param('note') note: string) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { slow: note };
  }

  @Get('large')
  large() {
    return 'x'.repeat(1_000_000);
  }

  @Get('of/:owner')
  ofOwner(@Param('owner') owner: string) {
    return { owner };
  }
}

@Module({ controllers: [ThingsController] })
class TestModule {}

/** A small app on its own port, and the reports of its adapter. */
export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly port: number;
  readonly bugs: unknown[];
  readonly rejected: string[];
  readonly dropped: unknown[];
}

export async function startTestApp(
  limits: Partial<HttpLimits> = {},
  corsOrigins: readonly string[] = [],
): Promise<TestApp> {
  const [bugs, rejected, dropped]: [unknown[], string[], unknown[]] = [[], [], []];
  const adapter = new HttpAdapter({
    limits,
    corsOrigins,
    onInternalError: (error) => bugs.push(error),
    onConnectionDropped: () => dropped.push('connection'),
    onRejected: ({ body }) => rejected.push(body.code),
  });
  const app = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, { logger: false });
  useProblemFilter(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, bugs, rejected, dropped, port: Number(new URL(await app.getUrl()).port) };
}
