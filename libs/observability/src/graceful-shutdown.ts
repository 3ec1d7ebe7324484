import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { ActiveRequests } from '@carbon/http';

/** Idle time before connections close, because a request may be on its way on an open connection. */
const IDLE_MS = 250;
const CHECK_EVERY_MS = 25;

/**
 * Stops an HTTP server without interrupting a request. The server first accepts no more connections, then tells clients,
 * in the response to their next request, to close theirs. In the other order (or with Node's `close`, which ends idle
 * connections at once) clients would reconnect to a closing listener or write into a closed connection.
 */
export class HttpDrain {
  private readonly active = new ActiveRequests<ServerResponse>();
  /** Checks since the last request. Not a time: after a pause of the process, timers run before waiting requests are read. */
  private idleChecks = 0;
  private isDraining = false;

  /** Must be created before the server's first request. */
  constructor(
    private readonly server: Server,
    private readonly idleMs = IDLE_MS,
  ) {
    server.prependListener('request', (_request, response) => this.track(response));
  }

  /** Resolves when every connection is closed; closes the remaining ones after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    const begin = performance.now();
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this.server, () => resolve());
    });
    this.isDraining = true;
    for (const response of this.active.values()) askToClose(response);
    const check = setInterval(() => {
      this.idleChecks = this.active.size === 0 ? this.idleChecks + 1 : 0;
      const isIdle = this.idleChecks * CHECK_EVERY_MS > this.idleMs;
      if (isIdle || performance.now() - begin > limitMs) this.server.closeAllConnections();
    }, CHECK_EVERY_MS);
    await closed;
    clearInterval(check);
  }

  private track(response: ServerResponse): void {
    const entry = this.active.add(response);
    this.idleChecks = 0;
    if (this.isDraining) askToClose(response);
    response.once('close', () => this.active.remove(entry));
  }
}

function askToClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** The maximum duration of each phase of a shutdown after the grace period, in order, in milliseconds. */
export interface ShutdownPhases {
  /** Waiting for a start-up that is still in progress. */
  readonly startMs: number;
  /** Active HTTP requests; each has its own, shorter deadline. */
  readonly drainMs: number;
  /** Background loops: one statement in the database. */
  readonly loopsMs: number;
  /** Consumers: a join in progress. */
  readonly joinMs: number;
  /** Consumers: the batch in progress, then leaving the group. Must be longer than the longest statement of a handler. */
  readonly leaveMs: number;
  /** Producers: waiting for the broker to acknowledge the sent messages; this is their deadline. */
  readonly flushMs: number;
  /** Producers: the connection. */
  readonly disconnectMs: number;
  /** The management port, the stores, and a slow machine. */
  readonly marginMs: number;
}

/** The phases of every app. Consumers and producers take their timeouts from here. */
export const SHUTDOWN_PHASES: ShutdownPhases = {
  startMs: 1_000,
  drainMs: 6_000,
  loopsMs: 5_000,
  joinMs: 3_000,
  leaveMs: 6_000,
  flushMs: 5_000,
  disconnectMs: 2_000,
  marginMs: 2_000,
};

/**
 * Returns how long after SIGTERM an app exits even if something hangs, in milliseconds: the grace period and every phase. A
 * supervisor must wait longer before it kills the app.
 */
export function hardExitMs(graceMs: number, phases: ShutdownPhases = SHUTDOWN_PHASES): number {
  return Object.values(phases).reduce((sum: number, ms: number) => sum + ms, graceMs);
}
