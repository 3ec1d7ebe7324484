import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The maximum number of delayed bytes of one direction of a connection; more wait in the sockets. */
const MAX_DELAYED_BYTES = 4 * 1024 * 1024;

/** A TCP proxy on this machine that delivers everything later, like a distant server. */
export interface DelayProxy {
  readonly port: number;
  /** Closes every connection and the port. */
  close(): Promise<void>;
}

/** Opens a proxy to a port of 127.0.0.1. @param delayMs of each direction; half of what it adds to a round trip */
export async function startDelayProxy(target: number, delayMs: number): Promise<DelayProxy> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: target, noDelay: true, allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('close', () => {
        sockets.delete(from);
        setTimeout(() => to.destroy(), delayMs);
      });
      from.on('error', () => {});
      delay(from, to, delayMs);
    }
  });
  await once(server.listen({ port: 0, host: '127.0.0.1' }), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Timers of the same duration fire in their order, so the bytes keep theirs, and each is delayed once. */
function delay(from: Socket, to: Socket, delayMs: number): void {
  let delayed = 0;
  from.on('data', (bytes: Buffer) => {
    delayed += bytes.length;
    if (delayed > MAX_DELAYED_BYTES) from.pause();
    setTimeout(() => {
      const flushed = to.write(bytes);
      delayed -= bytes.length;
      if (!flushed) from.pause();
      else if (delayed <= MAX_DELAYED_BYTES) from.resume();
    }, delayMs);
  });
  to.on('drain', () => from.resume());
  from.on('end', () => setTimeout(() => to.end(), delayMs));
}
