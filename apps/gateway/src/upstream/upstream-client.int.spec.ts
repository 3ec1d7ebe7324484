import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { TransientError } from '@carbon/http';
import { Metrics } from '@carbon/observability';
import { eventually, startTcp } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { holding, json, reply, startStub, useStub } from '../testing/stub-server.js';
import { UpstreamClient } from './upstream-client.js';

/** Longer than a busy machine takes to respond. */
const PATIENT_MS = 30_000;
/** More failures than open the circuit breaker. */
const MORE_THAN_THE_BREAKER_ALLOWS = 6;

const opened: UpstreamClient[] = [];
const metrics = new Metrics('test');
const open = (url: string, timeoutMs = PATIENT_MS, connections = 1) => {
  const options = { name: 'other', label: 'other', url, secret: 'a secret', timeoutMs, connections };
  const upstream = new UpstreamClient(options, metrics);
  opened.push(upstream);
  return upstream;
};
const UNAVAILABLE = expect.objectContaining({ code: 'service_unavailable' });

beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  for (const upstream of opened.splice(0)) await upstream.onApplicationShutdown();
});

describe('a request to an app that does not answer', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const drips = (socket: Socket) => {
    socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
    const drip = setInterval(() => socket.write(' '), 50);
    socket.on('close', () => clearInterval(drip));
  };
  const sends = (bytes: string) => (socket: Socket) => void socket.once('data', () => socket.end(bytes));

  it.each<[string, (socket: Socket) => void, number]>([
    ['says nothing', () => {}, 300],
    ['answers byte by byte', drips, 300],
    ['cuts its answer short', sends(`${HEAD}content-length: 1000\r\n\r\n[{"name":"half`), PATIENT_MS],
    ['speaks no HTTP', sends('SSH-2.0-OpenSSH_9.2\r\n\r\n'), PATIENT_MS],
    ['sends no JSON', sends(`${HEAD}content-length: 7\r\n\r\ngarbage`), PATIENT_MS],
    ['hangs up', (socket) => void socket.destroy(), PATIENT_MS],
  ])('fails in bounded time when it %s', async (_, onConnection, timeoutMs) => {
    await using server = await startTcp(onConnection);
    const begun = performance.now();
    await expect(open(`http://127.0.0.1:${server.port}`, timeoutMs).get('/', 'acme')).rejects.toEqual(UNAVAILABLE);
    expect(performance.now() - begun).toBeLessThan(PATIENT_MS / 2);
  });

  it('fails at once, unsent, after some failures, and succeeds soon after the app is back', async () => {
    const silent = await startStub(() => {});
    const upstream = open(silent.url, 500, 5);
    const get = () => upstream.get('/', 'acme');
    for (const failed of await Promise.allSettled([get(), get(), get(), get(), get()]))
      expect(failed).toEqual({ status: 'rejected', reason: UNAVAILABLE });
    // Sends a request now and then to find out whether the app is back.
    await eventually(async () => {
      const count = silent.requests.length;
      await expect(get()).rejects.toEqual(UNAVAILABLE);
      expect(silent.requests).toHaveLength(count);
    });
    await silent.close();
    const back = await startStub(json('[]'), silent.port);
    await eventually(async () => expect((await get()).status).toBe(200));
    await back.close();
  });
});

describe('a circuit breaker that is half-open', () => {
  it('fails every call but its probe at once, and closes when the probe succeeds late', async () => {
    const app = await startStub((request) => request.socket.destroy());
    const upstream = open(app.url, 2_000, 50);
    const get = () => upstream.get('/', 'acme');
    for (let n = 0; n < MORE_THAN_THE_BREAKER_ALLOWS; n += 1) await expect(get()).rejects.toEqual(UNAVAILABLE);
    const probes = holding(json('[]'));
    app.respond(probes.listener);
    let probe: Promise<unknown> | undefined;
    await eventually(async () => {
      probe = get();
      probe.catch(() => {});
      await eventually(() => expect(probes.count).toBe(1), { within: 500 });
    });
    const begun = performance.now();
    for (const call of await Promise.allSettled(Array.from({ length: 10 }, get)))
      expect(call).toEqual({ status: 'rejected', reason: UNAVAILABLE });
    expect(performance.now() - begun).toBeLessThan(1_000);
    probes.release();
    await expect(probe).resolves.toMatchObject({ status: 200 });
    expect((await get()).status).toBe(200);
    await app.close();
  });
});

describe('the health check of an app whose connections are all busy', () => {
  it('reports that the app is alive', async () => {
    const slow = holding(json('[]'));
    const app = await startStub((request, response) => {
      const answer = request.url === '/health/live' ? json('{"state":"live"}') : slow.listener;
      answer(request, response);
    });
    const upstream = open(app.url, PATIENT_MS, 2);
    const busy = [upstream.get('/slow', 'acme'), upstream.get('/slow', 'acme')];
    await eventually(() => expect(slow.count).toBe(2));
    await eventually(() => upstream.checkHealth());
    slow.release();
    for (const { status } of await Promise.all(busy)) expect(status).toBe(200);
    await app.close();
  });
});

describe('the circuit breaker of an upstream', () => {
  const app = useStub();

  it('ignores a response that is too long: other calls are still sent', async () => {
    const long = `["${'x'.repeat(9 * 1024 * 1024)}"]`;
    app.respond((request, response) => json(request.url === '/long' ? long : '[]')(request, response));
    const upstream = open(app.url);
    for (let n = 0; n < MORE_THAN_THE_BREAKER_ALLOWS; n += 1)
      await expect(upstream.get('/long', 'acme')).rejects.toBeInstanceOf(TransientError);
    expect((await upstream.get('/short', 'acme')).status).toBe(200);
    expect(app.requests).toHaveLength(MORE_THAN_THE_BREAKER_ALLOWS + 1);
  });

  it('ignores a crowd that finds no free slot in half of its time: none of it is sent', async () => {
    const slow = holding(json('[]'));
    app.respond(slow.listener);
    const upstream = open(app.url, 4_000);
    const before = app.requests.length;
    const first = upstream.get('/slow', 'acme');
    const crowd = await Promise.allSettled(Array.from({ length: 20 }, () => upstream.get('/crowd', 'acme')));
    slow.release();
    for (const one of crowd) expect(one).toEqual({ status: 'rejected', reason: UNAVAILABLE });
    expect((await first).status).toBe(200);
    expect((await upstream.get('/later', 'acme')).status).toBe(200);
    expect(app.requests).toHaveLength(before + 2);
  });
});

describe('a request whose kept-alive connection was closed under it', () => {
  it.each([
    ['GET', (upstream: UpstreamClient) => upstream.get('/', 'acme')],
    ['POST', (upstream: UpstreamClient) => upstream.post('/', 'acme', { id: 'est_1' })],
  ])('is sent again as it was: %s', async (method, request) => {
    const bodies: string[] = [];
    const app = await startStub(async (incoming, response) => {
      bodies.push(await text(incoming));
      if (bodies.length === 1) incoming.socket.destroy();
      else reply(method === 'GET' ? 200 : 201, 'application/json', '{}')(incoming, response);
    });
    expect((await request(open(app.url))).body.toString()).toBe('{}');
    const body = method === 'GET' ? '' : '{"id":"est_1"}';
    expect(bodies).toEqual([body, body]);
    await app.close();
  });
});

describe('calls beyond the concurrency limit', () => {
  const app = useStub();

  it('are sent for the accounts in turn, however many of one wait', async () => {
    const upstream = open(app.url);
    const many = Array.from({ length: 10 }, () => upstream.get('/', 'greedy'));
    await Promise.all([...many, upstream.get('/', 'other')]);
    expect(app.requests.findIndex(({ headers }) => headers['x-account'] === 'other')).toBe(2);
  });
});
