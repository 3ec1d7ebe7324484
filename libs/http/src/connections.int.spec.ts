import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HTTP_LIMITS, type HttpLimits } from './server-options.js';
import { startTestApp, type TestApp } from './testing/app.js';
import { ask, exchange, expectProblem, sendRaw } from './testing/wire.js';

/** Enough for a busy machine: none of these clients disconnects within half a minute. */
const SOON_MS = 20_000;
const HEAD = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const GET = 'GET /things?criteria= HTTP/1.1\r\nHost: x\r\n\r\n';

const apps: TestApp[] = [];
const start = async (limits: Partial<HttpLimits> = {}) => {
  const app = await startTestApp(limits);
  apps.push(app);
  return app;
};
afterAll(() => Promise.all(apps.map(({ app }) => app.close())));

describe('a slow client', () => {
  let test: TestApp;

  beforeAll(async () => {
    const short = { requestMs: 1_000, headMs: 500, checkEveryMs: 50, handlerMs: 1_500 };
    test = await start({ ...short, keepAliveMs: 500, socketIdleMs: 3_000 });
  });

  it.concurrent.each([
    ['connection is silent', ''],
    ['head does not arrive', 'GET /things HTTP/1.1\r\nHost: x\r\n'],
    ['body does not arrive', `${HEAD}Content-Length: 15\r\n\r\n{"weight`],
  ])('gets 408 when its %s', async (_, bytes) => {
    expectProblem(await exchange(test.port, bytes), 'request_timeout');
    expect(test.rejected).toContain('request_timeout');
  });

  it.concurrent.each([
    ['head', 'GET /things?criteria= HTTP/1.1\r\nX-A: ', 'a'],
    ['body', `${HEAD}Content-Length: 1000\r\n\r\n{`, 'a'],
    ['body in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'],
  ])('gets 408 when its %s arrives byte by byte', async (_, begin, more) => {
    const started = performance.now();
    expectProblem(await exchange(test.port, begin, more), 'request_timeout');
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });

  it.each([
    ['does not read', 0],
    ['reads slowly', 16_384],
  ])('loses its connection when it %s the response', async (_, bytes) => {
    const socket = connect(test.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /things/large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    const [peer] = (await once(test.app.getHttpServer(), 'connection')) as [Socket];
    const dripping = setInterval(() => void (bytes > 0 && socket.read(bytes)), 20);
    const started = performance.now();
    await once(peer, 'close');
    clearInterval(dripping);
    socket.destroy();
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });

  it.concurrent('loses an idle keep-alive connection', async () => {
    const began = performance.now();
    expect(await sendRaw(test.port, GET)).toMatch(/^HTTP\/1\.1 200 /);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
  });

  it('causes no error report when it disconnects within its body', async () => {
    test.bugs.length = 0;
    const socket = connect(test.port, '127.0.0.1');
    const [peer] = (await once(test.app.getHttpServer(), 'connection')) as [Socket];
    socket.write(`${HEAD}Content-Length: 15\r\n\r\n{"weight`);
    await once(peer, 'data');
    socket.destroy();
    await once(peer, 'close');
    expect((await ask(test, '/things?criteria=')).status).toBe(200);
    expect(test.bugs).toEqual([]);
  });

  it.concurrent('gets 503 when the handler hangs', async () => {
    const answer = await ask(test, '/things/hangs');
    expectProblem(answer, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('connections above the limit', () => {
  it('are closed at once and reported, and accepted again after others have closed', async () => {
    const test = await start({ connections: 3 });
    const sockets: Socket[] = [];
    const opened = async () => {
      const socket = connect(test.port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      socket.write(GET);
      const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return Buffer.isBuffer(data) ? data.toString('latin1', 0, 12) : '';
    };
    for (let n = 0; n < 3; n += 1) expect(await opened()).toBe('HTTP/1.1 200');
    expect(await opened()).toBe('');
    expect(test.dropped).toHaveLength(1);
    sockets[0]?.destroy();
    let answer = '';
    while (answer === '') answer = await opened();
    expect(answer).toBe('HTTP/1.1 200');
    for (const socket of sockets) socket.destroy();
  });
});

describe('a thousand idle connections', () => {
  /** For a busy machine, and before the first of them is closed after five seconds. */
  const SERVED_MS = 4_000;

  it('do not block other clients, also with a started request, and are closed before the keep-alive timeout', async () => {
    const test = await start();
    const idle = Array.from({ length: 1_000 }, () => connect(test.port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const leastMs = async () => {
      const times: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const begin = performance.now();
        expect((await ask(test, '/things?criteria=')).status).toBe(200);
        times.push(performance.now() - begin);
      }
      return Math.min(...times);
    };
    expect(await leastMs()).toBeLessThan(SERVED_MS);
    for (const socket of idle) socket.write('POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n');
    expect(await leastMs()).toBeLessThan(SERVED_MS);
    const begin = performance.now();
    await Promise.all(idle.map((socket) => (socket.closed ? undefined : once(socket.resume(), 'close'))));
    expect(performance.now() - begin).toBeLessThan(HTTP_LIMITS.keepAliveMs / 2);
  });
});

describe('several requests on one connection', () => {
  let test: TestApp;

  beforeAll(async () => {
    // However long a busy machine takes to read what arrives at once.
    test = await start({ headMs: 60_000, requestMs: 60_000, handlerMs: 60_000 });
  });

  const slow = (note: string) => `GET /things/slow/${note} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it('are answered in order, a malformed one behind them last', async () => {
    const wire = await sendRaw(test.port, `${slow('a')}${GET}${slow('b')}nonsense\r\n\r\n`);
    const answers = [...wire.matchAll(/HTTP\/1\.1 (\d+)|"slow":"(\w)"/g)].map(([, status, note]) => status ?? note);
    expect(answers).toEqual(['200', 'a', '200', '200', 'b', '400']);
    expect(wire.match(/application\/problem\+json/g)).toHaveLength(1);
  });

  it('are ignored behind a malformed one', async () => {
    const wire = await sendRaw(test.port, `nonsense\r\n\r\n${GET}${GET}`);
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  it('cannot be smuggled in the body of another', async () => {
    const hidden = 'POST /things/slow/x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const head = HEAD.replace('Host: x', 'Host: x\r\nConnection: close');
    const wire = await sendRaw(test.port, `${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`);
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(wire).toContain('invalid_json');
  });

  it('may be thousands: each is answered, and other clients are served meanwhile', async () => {
    const last = 'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const flood = sendRaw(test.port, `${GET.repeat(2_000)}${last}`);
    expect((await ask(test, '/things?criteria=')).status).toBe(200);
    expect((await flood).match(/HTTP\/1\.1 200/g)).toHaveLength(2_000);
  });
});
