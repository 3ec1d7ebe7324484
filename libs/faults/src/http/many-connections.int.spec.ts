import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startTestApp, type TestApp } from './test-app.js';

const MOST = 3;

let test: TestApp;
let dropped = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  test = await startTestApp({ connections: MOST }, [], () => {
    dropped += 1;
  });
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await test.app.close();
});

/** Opens a connection, asks on it, and gives the beginning of what comes; nothing when it is closed unheard. */
async function ask(): Promise<string> {
  const socket = connect(test.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write('GET /things?criteria= HTTP/1.1\r\nHost: x\r\n\r\n');
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return Buffer.isBuffer(data) ? data.toString('latin1', 0, 12) : '';
}

describe('connections beyond the most there may be', () => {
  it('are closed unheard and reported, and taken again once others have ended', async () => {
    for (let n = 0; n < MOST; n += 1) expect(await ask()).toBe('HTTP/1.1 200');
    expect(await ask()).toBe('');
    expect(dropped).toBe(1);
    sockets[0]?.destroy();
    let answer = '';
    while (answer === '') answer = await ask();
    expect(answer).toBe('HTTP/1.1 200');
  });
});
