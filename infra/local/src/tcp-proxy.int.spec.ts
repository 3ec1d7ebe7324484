import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './ports.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

const sockets = new Set<Socket>();
const servers: Server[] = [];
const proxies: TcpProxy[] = [];

/** A server that keeps what it receives, and answers each message with its name and the message. */
async function target(name: string): Promise<{ readonly port: number; readonly received: string[] }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received.push(bytes.toString());
      socket.write(`${name}:${bytes}`);
    });
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, received };
}

async function proxyTo(...targets: readonly number[]): Promise<TcpProxy> {
  const proxy = await startTcpProxy({ targets });
  proxies.push(proxy);
  return proxy;
}

async function clientOf({ port }: TcpProxy): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  sockets.add(socket);
  await once(socket, 'connect');
  return socket.on('error', () => {});
}

async function ask(client: Socket, message: string): Promise<string> {
  client.write(message);
  const [bytes] = await once(client, 'data');
  return String(bytes);
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  for (const server of servers.splice(0)) server.close();
});

describe('a TCP proxy', () => {
  it('leads connections to its targets in turn, past one that refuses', async () => {
    const [a, b] = [await target('a'), await target('b')];
    const proxy = await proxyTo(a.port, await freePort(), b.port);
    const answers: string[] = [];
    for (let nth = 0; nth < 3; nth += 1) answers.push(await ask(await clientOf(proxy), '?'));
    expect(answers).toEqual(['a:?', 'b:?', 'b:?']);
  });

  it('closes new connections while it has no target, and leads them to a new one', async () => {
    const [a, b] = [await target('a'), await target('b')];
    const proxy = await proxyTo(a.port);
    const first = await clientOf(proxy);
    expect(await ask(first, '1')).toBe('a:1');
    proxy.targets = [];
    await once((await clientOf(proxy)).resume(), 'close');
    proxy.targets = [b.port];
    expect([await ask(first, '2'), await ask(await clientOf(proxy), '3')]).toEqual(['a:2', 'b:3']);
  });

  it('holds bytes and ends back as a black hole, and passes all of them when it is restored', async () => {
    const server = await target('a');
    const proxy = await proxyTo(server.port);
    const before = await clientOf(proxy);
    await ask(before, '1');
    proxy.blackHole();
    const during = await clientOf(proxy);
    const answers = [ask(before, '2'), ask(during, '3')];
    const closed = once(before.end(), 'close');
    // A bypass shows that the server is awake, and had time to receive what did not come.
    const bypass = connect({ host: '127.0.0.1', port: server.port });
    expect(await ask(bypass, '4')).toBe('a:4');
    bypass.destroy();
    expect(server.received).toEqual(['1', '4']);
    await proxy.restore();
    expect(await Promise.all(answers)).toEqual(['a:2', 'a:3']);
    await closed;
  });

  it('lets a request pass and keeps its answer back, so many times', async () => {
    const server = await target('a');
    const proxy = await proxyTo(server.port);
    const client = await clientOf(proxy);
    const cut = proxy.cutAfterAnswer(1);
    let answered = false;
    client.on('data', () => (answered = true)).write('1');
    await once(client, 'close');
    expect({ answered, received: server.received, cut: await cut }).toEqual({
      answered: false,
      received: ['1'],
      cut: 1,
    });
    expect(await ask(await clientOf(proxy), '2')).toBe('a:2');
  });

  it('stops waiting for answers to cut when the time is up', async () => {
    const proxy = await proxyTo((await target('a')).port);
    expect(await proxy.cutAfterAnswer(1, 50)).toBe(0);
    expect(await ask(await clientOf(proxy), '1')).toBe('a:1');
  });

  it('refuses like a port without a process, and accepts at the same port when it is restored', async () => {
    const proxy = await proxyTo((await target('a')).port);
    const client = (await clientOf(proxy)).resume();
    proxy.refuse();
    await once(client, 'close');
    await expect(clientOf(proxy)).rejects.toThrow('ECONNREFUSED');
    await proxy.restore();
    expect(await ask(await clientOf(proxy), '1')).toBe('a:1');
  });
});
