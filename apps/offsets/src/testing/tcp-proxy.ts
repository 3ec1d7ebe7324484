import net from 'node:net';

/** A TCP proxy that can refuse, cut or silence connections, to test outages without killing an engine. */
export class TcpProxy {
  private readonly through = new Set<net.Socket>();
  private isOpen = true;
  private readonly server = net.createServer((client) => this.pass(client));

  private constructor(private readonly to: { readonly host: string; readonly port: number }) {}

  static async inFrontOf(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy({ host: hostname, port: Number(port) });
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Returns the address through the proxy. */
  urlOf(url: string): string {
    const through = new URL(url);
    const address = this.server.address();
    through.hostname = '127.0.0.1';
    through.port = typeof address === 'object' && address !== null ? String(address.port) : '';
    return through.href;
  }

  /** Closes every connection and accepts none. */
  refuseConnections(): void {
    this.isOpen = false;
    this.closeConnections();
  }

  open(): void {
    this.isOpen = true;
  }

  /** Stops forwarding on open connections, without closing them; new ones are forwarded. */
  silence(): void {
    for (const socket of this.through) socket.unpipe().pause();
  }

  /** Closes every connection. */
  closeConnections(): void {
    for (const socket of this.through) socket.destroy();
  }

  async close(): Promise<void> {
    this.refuseConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private pass(client: net.Socket): void {
    if (!this.isOpen) {
      client.destroy();
      return;
    }
    const server = net.connect(this.to);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.through.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        this.through.delete(one);
        other.destroy();
      });
    }
  }
}
