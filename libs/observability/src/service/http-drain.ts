import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { ActiveRequests } from '@carbon/http';

/** How long nothing must have been in flight before connections are ended: a request may be on its way on an open one. */
const QUIET_MS = 250;
const LOOK_EVERY_MS = 25;

/**
 * Stops an HTTP server without cutting a request. First it takes no more connections; only then clients are told, with
 * the answer to their next request, to leave the one they have. The other way round (or by node's own `close`, which ends
 * idle connections at once) clients would connect anew into a listener about to close, or write into a closed connection.
 */
export class HttpDrain {
  private readonly inFlight = new ActiveRequests<ServerResponse>();
  private lastEnd = performance.now();
  private leaving = false;

  /** To be created before the server's first request. */
  constructor(private readonly server: Server) {
    server.prependListener('request', (_request, response) => this.watch(response));
  }

  /** Resolves when every connection has ended; after `limitMs` the rest is cut. */
  async drain(limitMs: number): Promise<void> {
    const begin = performance.now();
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this.server, () => resolve());
    });
    this.leaving = true;
    for (const response of this.inFlight.values()) sayGoodbye(response);
    const look = setInterval(() => {
      const now = performance.now();
      const quiet = this.inFlight.size === 0 && now - Math.max(this.lastEnd, begin) > QUIET_MS;
      if (quiet || now - begin > limitMs) this.server.closeAllConnections();
    }, LOOK_EVERY_MS);
    await closed;
    clearInterval(look);
  }

  private watch(response: ServerResponse): void {
    const flight = this.inFlight.add(response);
    if (this.leaving) sayGoodbye(response);
    response.once('close', () => {
      this.inFlight.remove(flight);
      this.lastEnd = performance.now();
    });
  }
}

function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
