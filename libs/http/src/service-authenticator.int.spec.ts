import { Controller, Get, Module, Req } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { HttpAdapter, useProblemFilter } from './http-adapter.js';
import { accountOf } from './request-headers.js';
import { ServiceAuthenticator } from './service-authenticator.js';

const [NEW, OLD] = ['a-new-secret-of-at-least-32-characters', 'an-old-secret-of-at-least-32-characters'] as const;

@Controller()
class Things {
  @Get('v1/things')
  things(@Req() request: FastifyRequest) {
    return { account: accountOf(request.raw) };
  }

  @Get(['health/live', 'metrics'])
  open() {
    return 'open';
  }

  @Get('metrics-of-accounts')
  shut() {
    return 'shut';
  }
}

const authenticator = {
  provide: ServiceAuthenticator,
  inject: [HttpAdapterHost],
  useFactory: (host: HttpAdapterHost) => new ServiceAuthenticator(host, [NEW, OLD]),
};

@Module({ controllers: [Things], providers: [authenticator] })
class Service {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(Service, new HttpAdapter(), { logger: false });
  useProblemFilter(app);
  await app.init();
});
afterAll(() => app.close());

const ask = (url: string, secret?: string | string[]) =>
  app.inject({ url, headers: { 'x-account': 'acme', ...(secret !== undefined && { 'x-internal-secret': secret }) } });

describe('an app behind the gateway', () => {
  it.each([NEW, OLD])('accepts the account of a caller with any of its secrets', async (secret) => {
    const answer = await ask('/v1/things', secret);
    expect([answer.statusCode, answer.json()]).toEqual([200, { account: 'acme' }]);
  });

  const another = 'another-secret-of-at-least-32-characters';

  it.each([[undefined], [''], [another], [NEW.slice(0, -1)], [`${NEW}0`], [`${NEW},${OLD}`], [[NEW, NEW]]])(
    'rejects a caller with %j',
    async (secret) => {
      const answer = await ask('/v1/things', secret);
      expect([answer.statusCode, answer.json()]).toEqual([401, expect.objectContaining({ code: 'unauthorized' })]);
      expect(answer.body).not.toContain('acme');
    },
  );

  it('serves health and metrics without a secret, and nothing else', async () => {
    const paths = ['/health/live', '/metrics', '/metrics-of-accounts', '/v1/nothing'];
    const answers = await Promise.all(paths.map((path) => ask(path)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 401, 404]);
  });

  it('cannot be created without a secret', () => {
    expect(() => new ServiceAuthenticator(app.get(HttpAdapterHost), [])).toThrow(RangeError);
  });
});
