import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What a connection through a proxy asks of the proxy. */
export interface ProxiedConnectionOptions {
  /** Whether nothing may pass at first. */
  readonly held: boolean;
  /** Connects to the target; undefined when none accepts. */
  readonly connect: () => Promise<Socket | undefined>;
  /** Asked about each answer of the target; false closes the connection instead of passing it on. */
  readonly mayAnswer: () => boolean;
  readonly closed: () => void;
}

/** A client's connection to a proxy, and the proxy's own to the target. */
export class ProxiedConnection {
  /** When the client last sent something that was passed on, by `performance.now()`. */
  lastRequestAt = Number.NEGATIVE_INFINITY;
  #target: Socket | undefined;
  #held: boolean;
  #connecting = false;
  /** The ends of connections are held back like bytes. */
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

  /** Passes nothing more, in either direction, until `release`. */
  hold(): void {
    this.#held = true;
    this.client.pause();
    this.#target?.pause();
  }

  /** Passes what was held back, and all that follows. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    for (const pass of this.#waiting.splice(0)) pass();
    if (this.#target === undefined) return void this.#connect();
    this.client.resume();
    this.#target.resume();
  }

  /** Closes both sides. What had not been passed on is lost. */
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

/** A connection to the first of these ports of 127.0.0.1 that accepts one; undefined when none does. */
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
