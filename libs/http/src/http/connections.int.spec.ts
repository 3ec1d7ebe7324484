import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startTestApp, type TestApp } from '../testing/app.js';
import { ask, converse, exchange, expectProblem } from '../testing/wire.js';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.js';

/** Time enough for a busy machine: none of these clients ever ends by itself, or not for half a minute. */
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
    ['connection says nothing', ''],
    ['head does not arrive', 'GET /things HTTP/1.1\r\nHost: x\r\n'],
    ['body does not arrive', `${HEAD}Content-Length: 15\r\n\r\n{"weight`],
  ])('is answered with 408 when its %s', async (_, bytes) => {
    expectProblem(await exchange(test.port, bytes), 'request_timeout');
    expect(test.refused).toContain('request_timeout');
  });

  it.concurrent.each([
    ['head', 'GET /things?criteria= HTTP/1.1\r\nX-A: ', 'a'],
    ['body', `${HEAD}Content-Length: 1000\r\n\r\n{`, 'a'],
    ['body in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'],
  ])('loses a connection whose %s comes byte by byte, however steadily', async (_, begin, more) => {
    const started = performance.now();
    expectProblem(await exchange(test.port, begin, more), 'request_timeout');
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });

  it.each([
    ['by nobody', 0],
    ['drop by drop', 16_384],
  ])('loses a connection whose answer is taken %s', async (_, bytes) => {
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

  it.concurrent('loses a connection that is kept open and says nothing', async () => {
    const began = performance.now();
    expect(await converse(test.port, GET)).toMatch(/^HTTP\/1\.1 200 /);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
  });

  it('is no bug when it leaves within its body', async () => {
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

  it.concurrent('is not made to wait by a handler that hangs: it gets 503', async () => {
    const answer = await ask(test, '/things/hangs');
    expectProblem(answer, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('connections beyond the most there may be', () => {
  it('are closed unheard and reported, and taken again once others have ended', async () => {
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

describe('a thousand connections on which nothing is said', () => {
  /** Of a busy machine, and before the first of them is closed after five seconds. */
  const SERVED_MS = 4_000;

  it('keep nobody else from being served, also with a request begun, and are closed long before an idle one is', async () => {
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
    // However long a busy machine takes to read what comes at once.
    test = await start({ headMs: 60_000, requestMs: 60_000, handlerMs: 60_000 });
  });

  const slow = (note: string) => `GET /things/slow/${note} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it('are answered in their order, and a broken one behind them last', async () => {
    const wire = await converse(test.port, `${slow('a')}${GET}${slow('b')}nonsense\r\n\r\n`);
    const told = [...wire.matchAll(/HTTP\/1\.1 (\d+)|"slow":"(\w)"/g)].map(([, status, note]) => status ?? note);
    expect(told).toEqual(['200', 'a', '200', '200', 'b', '400']);
    expect(wire.match(/application\/problem\+json/g)).toHaveLength(1);
  });

  it('are not looked at any more behind a broken one', async () => {
    const wire = await converse(test.port, `nonsense\r\n\r\n${GET}${GET}`);
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  it('cannot be hidden in the body of another', async () => {
    const hidden = 'POST /things/slow/x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const head = HEAD.replace('Host: x', 'Host: x\r\nConnection: close');
    const wire = await converse(test.port, `${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`);
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(wire).toContain('invalid_json');
  });

  it('may be thousands at once: others are served meanwhile, and every one is answered', async () => {
    const last = 'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const flood = converse(test.port, `${GET.repeat(2_000)}${last}`);
    expect((await ask(test, '/things?criteria=')).status).toBe(200);
    expect((await flood).match(/HTTP\/1\.1 200/g)).toHaveLength(2_000);
  });
});
