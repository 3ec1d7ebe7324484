import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

/** A real HTTP server in the place of another app, for what can happen on the way to it. */
export interface TestUpstream {
  readonly url: string;
  readonly port: number;
  /** What it was asked, oldest first. */
  readonly asked: readonly AskedOfUpstream[];
  close(): Promise<void>;
}

/** One question as it came. */
export interface AskedOfUpstream {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** Starts one on a port of its own, or on a given one. */
export async function startUpstream(answer: RequestListener, port = 0): Promise<TestUpstream> {
  const asked: AskedOfUpstream[] = [];
  const server = createServer((request, response) => {
    asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers with these headers and this body. */
export function says(status: number, type: string, body: string, headers: Record<string, string> = {}) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { ...headers, 'content-type': type }).end(body);
  };
}

/** A TCP server that does with a connection what it is told, or nothing at all. */
export async function startTcp(onConnection: (socket: Socket) => void = () => {}) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
