import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import type { Certificate } from './certificate.js';

/** A TLS proxy for an engine without TLS. */
export interface TlsProxy {
  readonly port: number;
  close(): void;
}

/** The proxy's certificate, and the certificate (PEM) of the authority whose client certificates it requires, if any. */
export interface TlsProxyOptions extends Certificate {
  readonly clientAuthority?: string;
}

/** Accepts TLS on a free port of 127.0.0.1 and forwards everything to the target without TLS. */
export async function startTlsProxy(
  target: { readonly host: string; readonly port: number },
  { certificate, key, clientAuthority }: TlsProxyOptions,
): Promise<TlsProxy> {
  const open = new Set<Socket>();
  const client = clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true };
  const server = createServer({ cert: certificate, key, ...client }, (incoming) => {
    const outgoing = connect(target);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(from.on('close', () => open.delete(from)));
      // Destroys both after an error only: a side that ends normally may have bytes left to be forwarded.
      pipeline(from, to, () => undefined);
    }
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
