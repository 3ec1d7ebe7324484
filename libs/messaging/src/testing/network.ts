import { once } from 'node:events';
import net from 'node:net';
import type { ISocketFactory } from 'kafkajs';
import { noDelaySockets } from '../kafka/patches.js';

/** No process listens on port 1, so a connection is refused at once. */
const CLOSED_PORT = 1;

/**
 * The network from a client to Kafka: up, down (connections are refused) or silent (data is accepted, nothing is
 * returned).
 */
export class TestNetwork {
  private elsewhere: number | undefined;
  private readonly through = new Set<net.Socket>();
  private readonly deaf = net.createServer((socket) => socket.on('error', () => {}).resume());

  async ready(): Promise<this> {
    await once(this.deaf.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  readonly sockets: ISocketFactory = (to) => {
    const socket = noDelaySockets(
      this.elsewhere === undefined ? to : { ...to, host: '127.0.0.1', port: this.elsewhere },
    );
    this.through.add(socket);
    socket.on('close', () => this.through.delete(socket));
    return socket;
  };

  /** A server that accepts connections and never responds. */
  get silentPort(): number {
    return (this.deaf.address() as net.AddressInfo).port;
  }

  restore(): void {
    this.routeTo(undefined);
  }

  takeDown(): void {
    this.routeTo(CLOSED_PORT);
  }

  silence(): void {
    this.routeTo(this.silentPort);
  }

  /** Closes each connection instead of delivering its next response. */
  loseAnswers(): void {
    for (const socket of this.through) {
      const { emit } = socket;
      socket.emit = (event: string, ...rest: unknown[]) => {
        if (event !== 'data') return Reflect.apply(emit, socket, [event, ...rest]);
        socket.destroy(new Error('read ECONNRESET'));
        return true;
      };
    }
  }

  close(): void {
    this.takeDown();
    this.deaf.close();
  }

  private routeTo(port: number | undefined): void {
    this.elsewhere = port;
    for (const socket of this.through) socket.destroy(new Error('read ECONNRESET'));
  }
}
