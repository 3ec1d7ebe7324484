import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './ports.js';

/** What a connection needs from its proxy. */
export interface ProxiedConnectionOptions {
  /** Whether data is held from the start. */
  readonly held: boolean;
  /** Connects to the target; undefined if none accepts. */
  readonly connect: () => Promise<Socket | undefined>;
  /** Called for each response of the target; false closes the connection instead of forwarding it. */
  readonly mayAnswer: () => boolean;
  readonly closed: () => void;
}

/** A client's connection to a proxy, and the proxy's own to the target. */
export class ProxiedConnection {
  /** When the client last sent forwarded data, by `performance.now()`. */
  lastRequestAt = Number.NEGATIVE_INFINITY;
  #target: Socket | undefined;
  #held: boolean;
  #connecting = false;
  /** The ends of connections are held like bytes. */
  #waiting: (() => void)[] = [];

  constructor(
    private readonly client: Socket,
    private readonly options: ProxiedConnectionOptions,
  ) {
    this.#held = options.held;
    client.on('error', () => {});
    client.on('close', () => this.#closed());
    if (!this.#held) void this.#connect();
  }

  /** Forwards nothing more, in either direction, until `release`. */
  hold(): void {
    this.#held = true;
    this.client.pause();
    this.#target?.pause();
  }

  /** Forwards the held data, and everything that follows. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    for (const pass of this.#waiting.splice(0)) pass();
    if (this.#target === undefined) return void this.#connect();
    this.client.resume();
    this.#target.resume();
  }

  /** Closes both sides. Held data is lost. */
  destroy(): void {
    this.client.destroy();
    this.#target?.destroy();
  }

  async #connect(): Promise<void> {
    if (this.#connecting) return;
    this.#connecting = true;
    const target = await this.options.connect();
    this.#target = target;
    if (target === undefined || this.client.destroyed) return this.destroy();
    target.on('close', () => this.#closed());
    this.#pass(this.client, target, () => {
      this.lastRequestAt = performance.now();
      return true;
    });
    this.#pass(target, this.client, this.options.mayAnswer);
    if (this.#held) return this.hold();
    this.client.resume();
  }

  #pass(from: Socket, to: Socket, mayPass: () => boolean): void {
    from.on('data', (bytes: Buffer) => {
      if (!mayPass()) return this.destroy();
      if (!to.write(bytes)) from.pause();
    });
    to.on('drain', () => !this.#held && from.resume());
    from.on('end', () => this.#whenPassing(() => to.end()));
    from.on('close', (broken) => broken && this.#whenPassing(() => to.destroy()));
  }

  #whenPassing(pass: () => void): void {
    if (this.#held) this.#waiting.push(pass);
    else pass();
  }

  #closed(): void {
    if (this.client.destroyed && this.#target?.destroyed !== false) this.options.closed();
  }
}

/** Returns a connection to the first of these ports of 127.0.0.1 that accepts one; undefined if none does. */
export async function connectToFirst(ports: readonly number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
    try {
      await once(socket, 'connect');
      return socket.on('error', () => {});
    } catch {
      socket.destroy();
    }
  }
  return undefined;
}

/** The targets of a proxy. */
export interface TcpProxyOptions {
  /** Ports of 127.0.0.1. Connections go to them in turn; one that refuses is skipped. */
  readonly targets: readonly number[];
}

/** The default timeout of `cutAfterAnswer`. */
const ANSWER_TIMEOUT_MS = 60_000;

interface AnswersToCut {
  readonly since: number;
  cut: number;
  left: number;
  readonly end: () => void;
}

/** Opens a proxy on a free port to the port of a local address. */
export function startProxyOf(address: string): Promise<TcpProxy> {
  return startTcpProxy({ targets: [Number(new URL(address).port)] });
}

/** Opens a proxy on a free port that forwards everything. */
export async function startTcpProxy({ targets }: TcpProxyOptions): Promise<TcpProxy> {
  const proxy = new TcpProxy(await freePort(), targets);
  await proxy.restore();
  return proxy;
}

/** A TCP proxy on this machine, which can fail like a network or a machine. */
export class TcpProxy {
  /** Sets the targets; open connections are kept. Without targets, new connections are closed at once. */
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

  /** Closes every open connection; new ones are forwarded. */
  cut(): void {
    for (const connection of this.#open) connection.destroy();
  }

  /** Closes every open connection, and refuses new ones, like a port without a process. */
  refuse(): void {
    this.#server?.close();
    this.#server = undefined;
    this.cut();
  }

  /** Keeps connections and accepts new ones, but forwards nothing in either direction until `restore`. */
  blackHole(): void {
    this.#holding = true;
    this.silence();
  }

  /** Forwards nothing more on open connections, without closing them; new ones are forwarded. */
  silence(): void {
    for (const connection of this.#open) connection.hold();
  }

  /** Returns the address of a target through this proxy. */
  through(address: string): string {
    const url = new URL(address);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /**
   * Forwards the next requests, but closes the connection when the target responds, without forwarding the response.
   * Resolves with the number of lost responses: the requested number, or those until the timeout or `restore`.
   */
  cutAfterAnswer(count: number, timeoutMs = ANSWER_TIMEOUT_MS): Promise<number> {
    this.#toCut?.end();
    const { promise, resolve } = Promise.withResolvers<number>();
    const end = () => {
      clearTimeout(tooLate);
      if (this.#toCut === toCut) this.#toCut = undefined;
      resolve(toCut.cut);
    };
    const tooLate = setTimeout(end, timeoutMs);
    const toCut: AnswersToCut = { since: performance.now(), cut: 0, left: count, end };
    this.#toCut = toCut;
    return promise;
  }

  /** Forwards everything again, held data first; rejects if the port was taken while it was refused. */
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
