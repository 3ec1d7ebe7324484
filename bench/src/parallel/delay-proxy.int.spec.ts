import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startDelayProxy } from './delay-proxy.js';

const DELAY_MS = 50;

describe('a delaying proxy', () => {
  it('delivers all bytes in order, each direction after the delay and not after the previous bytes, and the end', async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = await startDelayProxy((server.address() as AddressInfo).port, DELAY_MS);
    const client = connect({ host: '127.0.0.1', port: proxy.port, noDelay: true });
    await once(client, 'connect');
    const begun = performance.now();
    const parts = Array.from({ length: 200 }, (_, n) => Buffer.alloc(1_000, n));
    let received = Buffer.alloc(0);
    let firstAfterMs: number | undefined;
    client.on('data', (bytes) => {
      firstAfterMs ??= performance.now() - begun;
      received = Buffer.concat([received, bytes]);
    });
    // In turns of their own the parts arrive one by one: delayed after each other they would take 200 times the delay.
    for (const part of parts) {
      client.write(part);
      await nextTurn();
    }
    client.end();
    await once(client, 'end');
    // Timers may fire a millisecond early.
    expect(firstAfterMs).toBeGreaterThanOrEqual(2 * DELAY_MS - 2);
    expect(performance.now() - begun).toBeLessThan(100 * DELAY_MS);
    expect(received.equals(Buffer.concat(parts))).toBe(true);
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
