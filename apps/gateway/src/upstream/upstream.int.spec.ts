import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { TransientError } from '@carbon/http';
import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { holding, json, reply, startStub, startTcp, useStub } from '../testing/stub-server.js';
import { Upstream } from './upstream.js';

/** Longer than a busy machine takes to answer. */
const PATIENT_MS = 30_000;
/** More often than the other app may fail before it is left alone. */
const MORE_THAN_THE_BREAKER_ALLOWS = 6;

class TestedUpstream extends Upstream {
  constructor(url: string, timeoutMs = PATIENT_MS, connections = 1) {
    super({ name: 'other', url, secret: 'a secret', timeoutMs, connections });
  }
}

const opened: Upstream[] = [];
const open = (...given: ConstructorParameters<typeof TestedUpstream>) => {
  const upstream = new TestedUpstream(...given);
  opened.push(upstream);
  return upstream;
};
const of = (account: string) => ({ 'x-account': account });
const UNAVAILABLE = expect.objectContaining({ code: 'service_unavailable' });

beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  for (const upstream of opened.splice(0)) await upstream.close();
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
    const server = await startTcp(onConnection);
    const begun = performance.now();
    await expect(open(`http://127.0.0.1:${server.port}`, timeoutMs).get('/', of('acme'))).rejects.toEqual(UNAVAILABLE);
    expect(performance.now() - begun).toBeLessThan(PATIENT_MS / 2);
    await server.close();
  });

  it('fails at once, unsent, after some failures, and succeeds soon after the app is back', async () => {
    const silent = await startStub(() => {});
    const upstream = open(silent.url, 500, 5);
    const get = () => upstream.get('/', of('acme'));
    for (const failed of await Promise.allSettled([get(), get(), get(), get(), get()]))
      expect(failed).toEqual({ status: 'rejected', reason: UNAVAILABLE });
    // Now and then one request is sent, to find out whether the app is back.
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

describe('what says nothing against the other app', () => {
  const app = useStub();

  it('is an answer that is too long: others are still sent', async () => {
    const long = `["${'x'.repeat(9 * 1024 * 1024)}"]`;
    app.respond((request, response) => json(request.url === '/long' ? long : '[]')(request, response));
    const upstream = open(app.url);
    for (let n = 0; n < MORE_THAN_THE_BREAKER_ALLOWS; n += 1)
      await expect(upstream.get('/long', of('acme'))).rejects.toBeInstanceOf(TransientError);
    expect((await upstream.get('/short', of('acme'))).status).toBe(200);
    expect(app.requests).toHaveLength(MORE_THAN_THE_BREAKER_ALLOWS + 1);
  });

  it('is a crowd that finds no slot in half of its time: nothing of it is sent', async () => {
    const slow = holding(json('[]'));
    app.respond(slow.listener);
    const upstream = open(app.url, 4_000);
    const before = app.requests.length;
    const first = upstream.get('/slow', of('acme'));
    const crowd = await Promise.allSettled(Array.from({ length: 20 }, () => upstream.get('/crowd', of('acme'))));
    slow.release();
    for (const one of crowd) expect(one).toEqual({ status: 'rejected', reason: UNAVAILABLE });
    expect((await first).status).toBe(200);
    expect((await upstream.get('/later', of('acme'))).status).toBe(200);
    expect(app.requests).toHaveLength(before + 2);
  });
});

describe('a request whose kept-alive connection was closed under it', () => {
  it.each([
    ['GET', (upstream: Upstream) => upstream.get('/', of('acme'))],
    ['POST', (upstream: Upstream) => upstream.post('/', of('acme'), { id: 'est_1' })],
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

describe('requests beyond what is sent at a time', () => {
  const app = useStub();

  it('are sent for the accounts by turns, however many wait of one', async () => {
    const upstream = open(app.url);
    const many = Array.from({ length: 10 }, () => upstream.get('/', of('greedy')));
    await Promise.all([...many, upstream.get('/', of('other'))]);
    expect(app.requests.findIndex(({ headers }) => headers['x-account'] === 'other')).toBe(2);
  });
});
