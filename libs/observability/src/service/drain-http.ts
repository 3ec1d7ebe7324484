import type { Server } from 'node:http';

/** How long nothing must be in flight before connections are cut: a request may be on its way on an open one. */
const QUIET_MS = 200;
const LOOK_EVERY_MS = 25;

/** Counts the requests of a server that are not answered yet. To be created before the first one comes. */
export class InFlight {
  private count = 0;
  private since = performance.now();

  constructor(server: Server) {
    server.prependListener('request', (_request, response) => {
      this.count += 1;
      response.once('close', () => {
        this.count -= 1;
        this.since = performance.now();
      });
    });
  }

  /** How long, in milliseconds, nothing has been in flight; 0 while something is. */
  get quietMs(): number {
    return this.count > 0 ? 0 : performance.now() - this.since;
  }
}

/**
 * Takes no more connections, lets everything in flight be answered, then ends what connections are left. Resolves when
 * the server is closed, at the latest after `limitMs`, when the rest is cut.
 */
export async function drainHttp(server: Server, inFlight: InFlight, limitMs: number): Promise<void> {
  const begin = performance.now();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const look = setInterval(() => {
    const waited = performance.now() - begin;
    server.closeIdleConnections();
    if (waited > limitMs || Math.min(inFlight.quietMs, waited) > QUIET_MS) server.closeAllConnections();
  }, LOOK_EVERY_MS);
  await closed;
  clearInterval(look);
}
