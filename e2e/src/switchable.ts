import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP address that leads to a port of this machine, and later to another one. */
export interface Switchable {
  readonly port: number;
  /** Cuts every connection; new ones lead to this port, or nowhere. */
  switchTo(target: number | undefined): void;
  close(): Promise<void>;
}

/** Opens one to a port. */
export async function switchable(first: number): Promise<Switchable> {
  let target: number | undefined = first;
  const open = new Set<Socket>();
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((client) => {
    if (target === undefined) return void client.destroy();
    const engine = connect({ host: '127.0.0.1', port: target, noDelay: true });
    const pair = [client, engine] as const;
    for (const socket of pair) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        for (const either of pair) either.destroy();
      });
    }
    client.pipe(engine).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    switchTo: (next) => {
      target = next;
      cut();
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
