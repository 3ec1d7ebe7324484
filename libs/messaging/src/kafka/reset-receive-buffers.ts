import { createRequire } from 'node:module';

/** What is touched of a kafkajs connection. */
interface Connection {
  connect(): Promise<unknown>;
  isConnected(): boolean;
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
}

const LENGTH_BYTES = 4;

let isPatched = false;

/**
 * Has kafkajs drop the part of a response that a lost connection has brought. It would append the responses of the next
 * connection to it, and never find the beginning of a response again. A second call changes nothing.
 */
export function resetReceiveBuffers(): void {
  if (isPatched) return;
  isPatched = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/connection.js') as {
    prototype: Connection;
  };
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
