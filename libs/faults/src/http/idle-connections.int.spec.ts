import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HTTP_LIMITS } from './http-limits.js';
import { startTestApp, type TestApp } from './test-app.js';
import { ask } from './test-wire.js';

const MANY = 1_000;
/** Of a busy machine, and before the first of them is closed after five seconds. */
const SOON_MS = 4_000;

let test: TestApp;
let idle: Socket[];

beforeAll(async () => {
  test = await startTestApp();
  idle = Array.from({ length: MANY }, () => connect(test.port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
});

afterAll(async () => {
  for (const socket of idle) socket.destroy();
  await test.app.close();
});

/** The least time of several requests, in ms. */
const askedIn = async (): Promise<number> => {
  const times: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const begin = performance.now();
    expect((await ask(test, '/things?criteria=')).status).toBe(200);
    times.push(performance.now() - begin);
  }
  return Math.min(...times);
};

describe('a thousand connections on which nothing is said', () => {
  it('do not keep anybody else from being served', async () => {
    expect(await askedIn()).toBeLessThan(SOON_MS);
  });

  it('nor when each has begun a request and goes no further', async () => {
    for (const socket of idle) socket.write('POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n');
    expect(await askedIn()).toBeLessThan(SOON_MS);
  });

  it(
    'are closed long before an idle connection is',
    async () => {
      await Promise.all(idle.map((socket) => (socket.closed ? undefined : once(socket.resume(), 'close'))));
    },
    HTTP_LIMITS.keepAliveMs / 2,
  );
});
