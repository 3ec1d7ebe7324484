import { createRequire } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { registerCodecs } from './codecs.js';
import { leaveLostCoordinators, leaveLostLeaders, skipSilentBrokers } from './lost-brokers.js';
import { encodeRecord } from './record-encoder.js';

const require = createRequire(import.meta.url);
const RECORD_MODULE = 'kafkajs/src/protocol/recordBatch/record/v0/index.js';
const QUEUE_MODULE = 'kafkajs/src/network/requestQueue/index.js';
const CONNECTION_MODULE = 'kafkajs/src/network/connection.js';
const LENGTH_BYTES = 4;
const KEEP_ALIVE_DELAY_MS = 60_000;
const TLS_ALERT = 0x15;
const TLS_MAJOR_VERSION = 0x03;

let isPatched = false;

/** Applies our patches of kafkajs (docs/third-party-patches.md), once per process. */
export function patchKafkajs(): void {
  if (isPatched) return;
  isPatched = true;
  replaceRecordEncoder();
  stopIdleTimers();
  resetReceiveBuffers();
  leaveLostCoordinators();
  leaveLostLeaders();
  skipSilentBrokers();
  registerCodecs();
}

/**
 * kafkajs encodes each header into a buffer of half a kilobyte and copies all of them into another one for the record: half
 * the cost of publishing events with eight headers. `encodeRecord` produces the same bytes (docs/decisions/0024).
 */
function replaceRecordEncoder(): void {
  const path = require.resolve(RECORD_MODULE);
  require(path);
  const module = require.cache[path];
  if (module === undefined) throw new Error(`kafkajs has no ${RECORD_MODULE} any more.`);
  module.exports = encodeRecord;
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * kafkajs sets a timer for pending requests after every response, also when none is pending, to "-1 minus now".
 * Node makes that 1 ms, so each open connection wakes an idle process 900 times a second
 * (https://github.com/tulios/kafkajs/issues/1751).
 */
function stopIdleTimers(): void {
  const { prototype } = require(QUEUE_MODULE) as { prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this);
  };
}

interface Connection {
  connect(): Promise<unknown>;
  isConnected(): boolean;
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
}

/**
 * kafkajs keeps the part of a response that a lost connection delivered, appends the responses of the next connection to it,
 * and never finds the start of a response again.
 */
function resetReceiveBuffers(): void {
  const { prototype } = require(CONNECTION_MODULE) as { prototype: Connection };
  const { connect } = prototype;
  prototype.connect = function () {
    if (!this.isConnected()) {
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = LENGTH_BYTES;
    }
    return connect.call(this);
  };
}

/**
 * Opens sockets without Nagle's delay, which kafkajs leaves on: a small request would wait for the response to the one before
 * it (the producer's 99th percentile fell to a third). With `ssl`, `onConnect` runs after the certificate is verified, so
 * nothing is sent before that.
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

function plainSocket(host: string, port: number, onConnect: () => void): net.Socket {
  const socket = net.connect({ host, port }, onConnect);
  // kafkajs would read a TLS alert as the length of a response, and wait for 350 MB.
  socket.once('data', (first) => {
    if (first[0] !== TLS_ALERT || first[1] !== TLS_MAJOR_VERSION) return;
    socket.destroy(new Error(`${host}:${port} answered with a TLS alert`));
  });
  return socket;
}
