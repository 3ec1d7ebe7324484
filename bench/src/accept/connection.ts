import { connect, type Socket } from 'node:net';

const BODY = JSON.stringify({ kgCO2e: 1234.567, customerRef: 'order-1' });
const requestWith = (key: string) =>
  Buffer.from(
    `POST /v1/offsets HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  );
const ACCEPTED = 'HTTP/1.1 202';
const LENGTH = /^content-length: *(\d+)/im;
const HEAD_END = '\r\n\r\n';

/**
 * A connection that posts the same bytes repeatedly and parses as little of the responses as possible, because a full
 * client would take processor time from the server.
 */
export class Connection {
  private text = '';
  private answered: (() => void) | undefined;
  private failed: ((error: Error) => void) | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly request: Buffer,
  ) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: unknown) => this.read(String(text)));
    socket.on('error', (error) => this.failed?.(error));
    socket.on('close', () => this.failed?.(new Error('The server has closed a connection.')));
  }

  /** Resolves when it is open. Every request sends the key. */
  static open(port: number, key: string): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(new Connection(socket, requestWith(key))));
      socket.once('error', reject);
    });
  }

  /** Sends one at a time. Resolves with the complete response. @throws Error unless it is 202 */
  post(): Promise<void> {
    return new Promise((answered, failed) => {
      this.answered = answered;
      this.failed = failed;
      this.socket.write(this.request);
    });
  }

  close(): void {
    this.failed = undefined;
    this.socket.destroy();
  }

  private read(text: string): void {
    this.text += text;
    const head = this.text.indexOf(HEAD_END);
    if (head < 0) return;
    const length = Number(LENGTH.exec(this.text)?.[1]);
    if (!this.text.startsWith(ACCEPTED) || Number.isNaN(length)) {
      this.failed?.(new Error(`Not accepted: ${this.text.slice(0, 500)}`));
    } else if (this.text.length >= head + HEAD_END.length + length) {
      this.text = '';
      this.answered?.();
    }
  }
}
