import net from 'node:net';
import tls from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const KEEP_ALIVE_DELAY_MS = 60_000;

/**
 * Sockets without Nagle's delay, which kafkajs' own leave on: a small request else waits for the answer to the one
 * before it (the producer's 99th percentile fell to a third). `onConnect` must be passed on, or every connection times out.
 * With `ssl` it is called once the certificate has been verified, so nothing is ever sent before that.
 */
export const noDelaySockets: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const socket = ssl ? tls.connect(tlsTarget(host, port, ssl), onConnect) : plainSocket(host, port, onConnect);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_DELAY_MS);
  return socket;
};

/** An IP address must not be sent as a server name (RFC 6066); Node then verifies the certificate against `host`. */
function tlsTarget(host: string, port: number, ssl: tls.ConnectionOptions): tls.ConnectionOptions {
  return { host, port, ...(net.isIP(host) === 0 && { servername: host }), ...ssl };
}

const TLS_ALERT = 0x15;
const TLS_MAJOR_VERSION = 0x03;

function plainSocket(host: string, port: number, onConnect: () => void): net.Socket {
  const socket = net.connect({ host, port }, onConnect);
  // kafkajs would take the alert for the length of an answer, and wait for 350 MB.
  socket.once('data', (first) => {
    if (first[0] !== TLS_ALERT || first[1] !== TLS_MAJOR_VERSION) return;
    socket.destroy(new Error(`${host}:${port} answered with a TLS alert`));
  });
  return socket;
}
