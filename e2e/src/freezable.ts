import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to an engine that can fall silent, as a stopped process does: connections stand, and nothing comes back. */
export interface Freezable {
  readonly url: string;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Opens one to the HTTP address of an engine. */
export async function freezable(target: string): Promise<Freezable> {
  const { hostname: host, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let frozen = false;
  const server = createServer((client) => {
    const engine = connect({ host, port: Number(port), noDelay: true });
    const pair = [client, engine] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        for (const either of pair) either.destroy();
      });
    }
    client.pipe(engine);
    if (!frozen) engine.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => {
      frozen = true;
      for (const [client, engine] of pairs) engine.unpipe(client);
    },
    thaw: () => {
      frozen = false;
      for (const [client, engine] of pairs) engine.pipe(client);
    },
    close: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
