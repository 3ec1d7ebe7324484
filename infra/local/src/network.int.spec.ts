import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { checkPorts, freePort, freePorts } from './ports.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

const sockets = new Set<Socket>();
const servers: Server[] = [];
const proxies: TcpProxy[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  await once(server.listen({ port, host }), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('the check of the ports', () => {
  it('names every used port and the setting that changes it, only for ports that are needed', async () => {
    const ports = await freePorts();
    await listen(createServer(), ports.KAFKA_PORT);
    await listen(createServer(), ports.GATEWAY_PORT, '0.0.0.0');
    await expect(checkPorts(ports, ['GATEWAY_PORT', 'KAFKA_PORT', 'POSTGRES_PORT'])).rejects.toThrow(
      `Port ${ports.GATEWAY_PORT} for gateway is taken by another program: stop that, or set GATEWAY_PORT.\n` +
        `Port ${ports.KAFKA_PORT} for kafka is taken by another program: stop that, or set KAFKA_PORT.`,
    );
    await expect(checkPorts(ports, ['POSTGRES_PORT', 'CATALOG_PORT'])).resolves.toBeUndefined();
  });

  it('refuses one port for two parts', async () => {
    const ports = await freePorts();
    expect(new Set(Object.values(ports)).size).toBe(Object.values(ports).length);
    const same = { ...ports, CATALOG_PORT: ports.OFFSETS_PORT };
    const words = `OFFSETS_PORT and CATALOG_PORT are both ${ports.OFFSETS_PORT}`;
    await expect(checkPorts(same, ['OFFSETS_PORT', 'CATALOG_PORT'])).rejects.toThrow(words);
  });
});

describe('a TCP proxy', () => {
  /** A server that stores what it receives, and answers each message with its name and the message. */
  const target = async (name: string) => {
    const received: string[] = [];
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        received.push(bytes.toString());
        socket.write(`${name}:${bytes}`);
      });
    });
    return { port: await listen(server), received };
  };
  const proxyTo = async (...targets: readonly number[]) => {
    const proxy = await startTcpProxy({ targets });
    proxies.push(proxy);
    return proxy;
  };
  const clientOf = async ({ port }: { readonly port: number }) => {
    const socket = connect({ host: '127.0.0.1', port });
    sockets.add(socket);
    await once(socket, 'connect');
    return socket.on('error', () => {});
  };
  const ask = async (client: Socket, message: string) => {
    client.write(message);
    return String((await once(client, 'data'))[0]);
  };

  it('forwards connections to its targets in turn, skips one that refuses, and closes them while it has no target', async () => {
    const [a, b] = [await target('a'), await target('b')];
    const proxy = await proxyTo(a.port, await freePort(), b.port);
    const first = await clientOf(proxy);
    expect([await ask(first, '1'), await ask(await clientOf(proxy), '2')]).toEqual(['a:1', 'b:2']);
    proxy.targets = [];
    await once((await clientOf(proxy)).resume(), 'close');
    proxy.targets = [b.port];
    expect([await ask(first, '3'), await ask(await clientOf(proxy), '4')]).toEqual(['a:3', 'b:4']);
  });

  it('holds all data as a black hole, and forwards it when it is restored', async () => {
    const server = await target('a');
    const proxy = await proxyTo(server.port);
    const before = await clientOf(proxy);
    await ask(before, '1');
    proxy.blackHole();
    const during = await clientOf(proxy);
    const answers = [ask(before, '2'), ask(during, '3')];
    const closed = once(before.end(), 'close');
    // A direct connection shows that the server runs, and had time to receive what did not arrive.
    expect(await ask(await clientOf(server), '4')).toBe('a:4');
    expect(server.received).toEqual(['1', '4']);
    await proxy.restore();
    expect(await Promise.all(answers)).toEqual(['a:2', 'a:3']);
    await closed;
  });

  it('passes a request and loses its response, a number of times or for a time', async () => {
    const server = await target('a');
    const proxy = await proxyTo(server.port);
    const client = await clientOf(proxy);
    const cut = proxy.cutAfterAnswer(1);
    let answered = false;
    client.on('data', () => (answered = true)).write('1');
    await once(client, 'close');
    expect([answered, server.received, await cut]).toEqual([false, ['1'], 1]);
    expect(await proxy.cutAfterAnswer(1, 50)).toBe(0);
    expect(await ask(await clientOf(proxy), '2')).toBe('a:2');
  });

  it('refuses connections as a port without a process does, and accepts at the same port when it is restored', async () => {
    const proxy = await proxyTo((await target('a')).port);
    const client = (await clientOf(proxy)).resume();
    proxy.refuse();
    await once(client, 'close');
    await expect(clientOf(proxy)).rejects.toThrow('ECONNREFUSED');
    await proxy.restore();
    expect(await ask(await clientOf(proxy), '1')).toBe('a:1');
  });
});
