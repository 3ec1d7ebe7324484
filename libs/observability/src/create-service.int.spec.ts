import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { RequestError } from '@carbon/http';
import { Body, Controller, Get, Logger, Module, Param, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createService } from './create-service.js';
import { Health } from './health.js';
import { createLogger } from './logger.js';
import { managementModule } from './management.js';
import { currentContext } from './request-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

@Controller('things')
class ThingsController {
  private readonly logger = new Logger('things');

  @Post()
  async make(@Body() _body: unknown) {
    await new Promise((resolve) => setImmediate(resolve));
    this.logger.log('Made', { count: 1 });
    return currentContext();
  }

  @Post('slow')
  async slow() {
    received.resolve();
    await answered.promise;
    return {};
  }

  @Get('bug')
  bug(): never {
    throw new Error('inside');
  }

  @Get('none')
  none(): never {
    throw new RequestError('not_found', 'There is none.');
  }

  @Get('of/:owner')
  of(@Param('owner') owner: string) {
    return { owner };
  }
}

@Module({ imports: [managementModule('test')], controllers: [ThingsController] })
class TestModule {}

let received: PromiseWithResolvers<void>;
let answered: PromiseWithResolvers<void>;
let app: NestFastifyApplication;
let base: string;
const lines: Record<string, unknown>[] = [];
const output = new EventEmitter();

beforeAll(async () => {
  const stream = {
    write: (line: string) => {
      lines.push(JSON.parse(line) as Record<string, unknown>);
      output.emit('line');
    },
  };
  app = await createService(TestModule, { logger: createLogger({ app: 'test', level: 'info', stream }) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  base = await app.getUrl();
});

afterAll(() => app.close());
beforeEach(() => {
  lines.length = 0;
});

describe('a service', () => {
  it('keeps the request id and the trace of the caller through body, handler and log', async () => {
    const response = await fetch(`${base}/things`, {
      method: 'POST',
      body: '{"customerRef": "u-1"}',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r-1',
        traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
      },
    });
    expect(await response.json()).toMatchObject({ requestId: 'r-1', traceId: TRACE });
    const common = { requestId: 'r-1', traceId: TRACE };
    expect(lines).toEqual([
      expect.objectContaining({ ...common, message: 'Made', part: 'things', count: 1 }),
      expect.objectContaining({ ...common, message: 'request', method: 'POST', route: '/things', status: 201 }),
    ]);
  });

  it('logs and counts a request whose client disconnects after its body was read', async () => {
    [received, answered] = [Promise.withResolvers(), Promise.withResolvers()];
    const { port } = new URL(base);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'POST /things/slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    await received.promise;
    const logged = once(output, 'line');
    socket.destroy();
    await logged;
    answered.resolve();
    await (await fetch(`${base}/things/of/me`)).text();
    expect(lines.map(({ route, code, status }) => ({ route, code, status }))).toEqual([
      { route: '/things/slow', code: 'aborted', status: undefined },
      { route: '/things/of/:owner', code: undefined, status: 200 },
    ]);
    const metrics = await (await fetch(`${base}/metrics`)).text();
    expect(metrics.match(/http_requests_total\{route="\/things\/slow".*/g)).toEqual([
      expect.stringMatching(/status="aborted".* 1$/),
    ]);
  });

  it('logs one line a request, with the route and never the query or a body', async () => {
    await (await fetch(`${base}/things/of/me?customerRef=u-1`)).text();
    await (await fetch(`${base}/nothing/here?customerRef=u-1`)).text();
    expect(lines.map(({ level, route, path, status, ms }) => ({ level, route, path, status, ms }))).toEqual([
      { level: 'info', route: '/things/of/:owner', path: undefined, status: 200, ms: expect.any(Number) },
      { level: 'info', route: undefined, path: '/…', status: 404, ms: expect.any(Number) },
    ]);
    expect(JSON.stringify(lines)).not.toContain('u-1');
  });

  it.each([
    ['an encoded key', '/things/cl%5Flive%5F0123456789ab%5Fsecret', '/things/…'],
    ['a customer’s reference', '/things/of/me/u-1', '/things/of/…'],
  ])('logs only the prefix of an unknown path: not %s', async (_, address, path) => {
    await (await fetch(`${base}${address}`)).text();
    expect(lines).toEqual([expect.objectContaining({ method: 'GET', path, status: 404 })]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|u-1/);
  });

  it('logs a bug with its stack and request id, but not an error of the caller', async () => {
    const bug = await fetch(`${base}/things/bug`);
    await bug.text();
    await (await fetch(`${base}/things/none`)).text();
    expect(lines.map(({ level }) => level)).toEqual(['error', 'info', 'info']);
    expect(lines[0]).toMatchObject({
      requestId: bug.headers.get('x-request-id'),
      err: { message: 'inside', stack: expect.stringContaining('bug') },
    });
  });

  it('serves its health without a line in the log', async () => {
    const health = app.get(Health);
    health.register('kafka', () => undefined);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    const starting = await fetch(`${base}/health/ready`);
    expect(starting.headers.get('content-type')).toBe('application/problem+json');
    expect([starting.status, await starting.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'service_unavailable', state: 'starting', waitingFor: ['listening'] }),
    ]);
    health.listening();
    const ready = await fetch(`${base}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { state: 'ready', dependencies: { kafka: 'up' } }]);
    expect(lines).toEqual([]);
  });
});

describe('a burst of malformed requests', () => {
  const MANY = 50;

  /** Sends bytes that are not a request and waits until the connection closes. */
  const sayNonsense = async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1').on('error', () => undefined);
    socket.resume().write('nonsense\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
  };

  it('causes few lines in the log, and is counted in full', async () => {
    const countOf = ({ message, count }: Record<string, unknown>) => {
      if (message === 'Request rejected by the HTTP server') return 1;
      return message === 'More requests rejected by the HTTP server' ? Number(count) : 0;
    };
    const counted = () => lines.reduce((sum, line) => sum + countOf(line), 0);
    await Promise.all(Array.from({ length: MANY }, sayNonsense));
    while (counted() < MANY) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(counted()).toBe(MANY);
    expect(lines.length).toBeLessThan(MANY);
    const metrics = await (await fetch(`${base}/metrics`)).text();
    expect(metrics).toContain(`carbon_test_http_rejected_requests_total{status="400"} ${MANY}`);
  });
});
