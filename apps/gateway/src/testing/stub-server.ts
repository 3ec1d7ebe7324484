import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { duringTests } from '@carbon/testing';

/** A request that a stub received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A real HTTP server in the place of another app. */
export interface StubServer {
  readonly url: string;
  readonly port: number;
  /** The received requests, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Responds by this listener from now on. */
  respond(listener: RequestListener): void;
  close(): Promise<void>;
}

/** Closes what a failed test left open, because a listening server keeps the run from ending. */
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** Starts a stub on a port of its own, or on a given one. */
export async function startStub(listener: RequestListener = json('[]'), port = 0): Promise<StubServer> {
  const requests: ReceivedRequest[] = [];
  let current = listener;
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    current(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  closers.push(close);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    port: ownPort,
    requests,
    respond: (next) => {
      current = next;
    },
    close,
  };
}

/** Starts a stub before the tests of the enclosing block, and closes it after them. */
export function useStub(listener?: RequestListener): Omit<StubServer, 'close' | 'port'> {
  return duringTests(
    () => startStub(listener),
    (stub) => stub.close(),
  );
}

/** Responds with this body, type and these headers. */
export function reply(status: number, type: string, body: string, headers: Record<string, string> = {}) {
  return ((_, response) => {
    response.writeHead(status, { ...headers, 'content-type': type }).end(body);
  }) satisfies RequestListener;
}

/** Responds 200 with this JSON. */
export function json(body: string, headers?: Record<string, string>) {
  return reply(200, 'application/json; charset=utf-8', body, headers);
}

/** The 404 of the offsets service for an id without a row. */
export const UNRECORDED = reply(404, 'application/problem+json', '{"code":"not_found","status":404}');

/** Holds requests back until they are released, then responds by `listener`. */
export function holding(listener: RequestListener) {
  const held: (() => void)[] = [];
  let isOpen = false;
  return {
    listener: ((request, response) => {
      if (isOpen) listener(request, response);
      else held.push(() => listener(request, response));
    }) satisfies RequestListener,
    get count() {
      return held.length;
    },
    /** Releases the held requests, and holds no more. */
    release: () => {
      isOpen = true;
      for (const go of held.splice(0)) go();
    },
  };
}
