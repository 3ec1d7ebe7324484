import { connect } from 'node:net';
import { Body, Controller, Get, HttpCode, Module, Param, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { z } from 'zod';
import { readJsonBody } from '../body/read-json-body.js';
import { TransientFault, UserFault } from '../fault.js';
import { optional, required, wholeNumber } from '../query/parameter.js';
import { readParameters } from '../query/read-parameters.js';
import { createHttpAdapter } from './http-adapter.js';
import type { HttpLimits } from './http-limits.js';
import { installProblems } from './problem-filter.js';

const thing = z.strictObject({
  weight: z.number().positive({ error: 'must be above 0' }),
  note: z.string().optional(),
});

@Controller('things')
class ThingsController {
  @Get()
  list(@Req() request: { raw: { url: string } }) {
    const criteria = required(z.string(), { mayBeEmpty: true });
    return readParameters(request.raw.url, { criteria, limit: optional(wholeNumber(1, 100)) });
  }

  @Post()
  @HttpCode(202)
  make(@Body(readJsonBody(thing)) body: z.output<typeof thing>) {
    return body;
  }

  @Get('bug')
  bug(): never {
    throw Object.assign(new Error('password=hunter2'), { statusCode: 404, query: 'SELECT secret' });
  }

  @Get('key')
  key(): never {
    throw new UserFault('unauthorized', 'Send a key.');
  }

  @Get('away')
  away(): never {
    throw new TransientFault('not_accepted', 'Try again.', { retryAfterSeconds: 3, members: { retryKey: 'k-1' } });
  }

  @Get('hangs')
  hangs(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Get('of/:owner')
  ofOwner(@Param('owner') owner: string) {
    return { owner };
  }
}

@Module({ controllers: [ThingsController] })
class TestModule {}

/** A small real app on a port of its own, what it reported, and its end. */
export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly port: number;
  readonly bugs: unknown[];
  readonly refused: string[];
}

export async function startTestApp(limits: Partial<HttpLimits> = {}): Promise<TestApp> {
  const bugs: unknown[] = [];
  const refused: string[] = [];
  const adapter = createHttpAdapter({
    limits,
    onBug: (error) => bugs.push(error),
    onRefused: ({ body }) => refused.push(body.code),
  });
  const app = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, { logger: false });
  installProblems(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, bugs, refused, port: Number(new URL(await app.getUrl()).port) };
}

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Writes bytes to a fresh connection, piece by piece, and reads until the other side closes it. */
export async function exchange(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // What was received counts, also when the rest of what was sent is then reset.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) socket.write(piece);
  await closed;
  return parseAnswer(Buffer.concat(chunks).toString('utf8'));
}

function parseAnswer(wire: string): RawAnswer {
  const [head = '', ...rest] = wire.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(pairs), text: rest.join('\r\n\r\n') };
}
