import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startTestApp, type TestApp } from './test-app.js';
import { ask, converse, drip, exchange, expectProblem } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  const short = { requestMs: 1_000, headMs: 500, checkEveryMs: 50, handlerMs: 1_500 };
  test = await startTestApp({ ...short, keepAliveMs: 500, socketIdleMs: 3_000 });
});

afterAll(() => test.app.close());

/** Time enough for a busy machine: none of these clients ever ends by itself, or not for half a minute. */
const SOON_MS = 20_000;

const HEAD = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('time', () => {
  it.concurrent('answers a head that does not arrive with 408', async () => {
    expectProblem(await exchange(test.port, 'GET /things HTTP/1.1\r\nHost: x\r\n'), 'request_timeout');
  });

  it.concurrent('answers a connection that never says anything with 408', async () => {
    expectProblem(await exchange(test.port), 'request_timeout');
  });

  it.concurrent('answers a body that does not arrive with 408', async () => {
    const answer = await exchange(test.port, HEAD, 'Content-Length: 15\r\n\r\n', '{"weight');
    expectProblem(answer, 'request_timeout');
    expect(test.refused).toContain('request_timeout');
  });

  it.concurrent.each([
    ['head', 'GET /things?criteria= HTTP/1.1\r\nX-A: '],
    ['body', `${HEAD}Content-Length: 1000\r\n\r\n{`],
    ['body in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('closes a connection whose %s comes byte by byte, however steadily', async (_, begin) => {
    const started = performance.now();
    const answer = await drip(test.port, begin, begin.includes('chunked') ? '1\r\n \r\n' : 'a');
    expectProblem(answer, 'request_timeout');
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });

  it('closes a connection whose answer nobody takes', async () => {
    const socket = connect(test.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /things/large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
    const [peer] = (await once(test.app.getHttpServer(), 'connection')) as [Socket];
    const started = performance.now();
    await once(peer, 'close');
    expect(performance.now() - started).toBeLessThan(SOON_MS);
    socket.destroy();
  });

  it('closes a connection whose answer is taken drop by drop', async () => {
    const socket = connect(test.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /things/large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    const [peer] = (await once(test.app.getHttpServer(), 'connection')) as [Socket];
    const dripping = setInterval(() => void socket.read(16_384), 20);
    const started = performance.now();
    await once(peer, 'close');
    clearInterval(dripping);
    socket.destroy();
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });

  it.concurrent('closes a connection that is kept open and says nothing', async () => {
    const began = performance.now();
    const wire = await converse(test.port, 'GET /things?criteria= HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(wire).toMatch(/^HTTP\/1\.1 200 /);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
  });

  it('lets nothing be said of a client that leaves within its body, and takes it for no bug', async () => {
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

  it.concurrent('answers for a handler that hangs with 503', async () => {
    const answer = await ask(test, '/things/hangs');
    expectProblem(answer, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('what handlers throw', () => {
  it('answers a bug with 500 that holds nothing of the inside, and reports it', async () => {
    test.bugs.length = 0;
    const problem = expectProblem(await ask(test, '/things/bug'), 'internal_error');
    expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'instance', 'status', 'title', 'type']);
    expect(test.bugs).toEqual([expect.objectContaining({ message: 'password=hunter2' })]);
  });

  it('answers a passing trouble with 503, when to try again, and its own members', async () => {
    const answer = await ask(test, '/things/away');
    expect(expectProblem(answer, 'not_accepted').retryKey).toBe('k-1');
    expect(answer.headers.get('retry-after')).toBe('3');
  });

  it('answers a missing key with the scheme to use', async () => {
    const answer = await ask(test, '/things/key');
    expectProblem(answer, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});
