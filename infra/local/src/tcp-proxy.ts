import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { freePort } from './ports.js';
import { connectToFirst, ProxiedConnection } from './proxied-connection.js';

/** Where a proxy listens and where it leads. */
export interface TcpProxyOptions {
  /** The port of 127.0.0.1 to listen on; a free one by default. */
  readonly port?: number;
  /** Ports of 127.0.0.1. Connections go to them in turn; one that refuses is skipped. */
  readonly targets: readonly number[];
}

/** How long `cutAfterAnswer` waits for answers, unless told otherwise. */
const ANSWERS_WITHIN_MS = 60_000;

interface AnswersToCut {
  readonly since: number;
  cut: number;
  left: number;
  readonly end: () => void;
}

/** Opens a proxy that passes everything on. */
export async function startTcpProxy({ port, targets }: TcpProxyOptions): Promise<TcpProxy> {
  const proxy = new TcpProxy(port ?? (await freePort()), targets);
  await proxy.restore();
  return proxy;
}

/** A TCP address of this machine that leads to other ports of it, and can fail as a network or a machine does. */
export class TcpProxy {
  /** Where connections go; those that are open stay where they are. With none, new connections are closed at once. */
  targets: readonly number[];
  #server: Server | undefined;
  #holding = false;
  #next = 0;
  #toCut: AnswersToCut | undefined;
  readonly #open = new Set<ProxiedConnection>();

  constructor(
    readonly port: number,
    targets: readonly number[],
  ) {
    this.targets = targets;
  }

  /** Closes every open connection; new ones pass. */
  cut(): void {
    for (const connection of this.#open) connection.destroy();
  }

  /** Closes every open connection, and lets nobody connect, as when no process listens. */
  refuse(): void {
    this.#server?.close();
    this.#server = undefined;
    this.cut();
  }

  /** Keeps connections and accepts new ones, but passes nothing in either direction until `restore`. */
  blackHole(): void {
    this.#holding = true;
    for (const connection of this.#open) connection.hold();
  }

  /**
   * Lets the next requests pass, but closes the connection when the target answers, and keeps the answer back.
   * Resolves with how many answers were cut: as many as wanted, or those until the time was up or `restore` was called.
   */
  cutAfterAnswer(count: number, withinMs = ANSWERS_WITHIN_MS): Promise<number> {
    this.#toCut?.end();
    const { promise, resolve } = Promise.withResolvers<number>();
    const end = () => {
      clearTimeout(tooLate);
      if (this.#toCut === toCut) this.#toCut = undefined;
      resolve(toCut.cut);
    };
    const tooLate = setTimeout(end, withinMs);
    const toCut: AnswersToCut = { since: performance.now(), cut: 0, left: count, end };
    this.#toCut = toCut;
    return promise;
  }

  /** Passes everything again, what was held back first; rejects when the port was taken while it was refused. */
  async restore(): Promise<void> {
    this.#toCut?.end();
    this.#holding = false;
    for (const connection of this.#open) connection.release();
    if (this.#server !== undefined) return;
    const options = { allowHalfOpen: true, noDelay: true, pauseOnConnect: true };
    const server = createServer(options, (client) => this.#accept(client));
    server.once('error', () => (this.#server = undefined));
    this.#server = server;
    server.listen({ port: this.port, host: '127.0.0.1' });
    await once(server, 'listening');
  }

  /** Closes every connection and the port. */
  async close(): Promise<void> {
    this.#toCut?.end();
    const closed = this.#server && once(this.#server, 'close');
    this.refuse();
    await closed;
  }

  #accept(client: Socket): void {
    const connection: ProxiedConnection = new ProxiedConnection(client, {
      held: this.#holding,
      connect: () => this.#connect(),
      mayAnswer: () => this.#mayAnswer(connection),
      closed: () => this.#open.delete(connection),
    });
    this.#open.add(connection);
  }

  async #connect(): Promise<Socket | undefined> {
    const first = this.targets.length === 0 ? 0 : this.#next++ % this.targets.length;
    return connectToFirst([...this.targets.slice(first), ...this.targets.slice(0, first)]);
  }

  #mayAnswer({ lastRequestAt }: ProxiedConnection): boolean {
    const toCut = this.#toCut;
    if (toCut === undefined || lastRequestAt < toCut.since) return true;
    toCut.cut += 1;
    toCut.left -= 1;
    if (toCut.left <= 0) toCut.end();
    return false;
  }
}
