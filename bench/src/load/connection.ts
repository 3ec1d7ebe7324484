import { connect, type Socket } from 'node:net';

const LENGTH = /^content-length: *(\d+)/im;
const HEAD_END = '\r\n\r\n';

/**
 * A connection that sends one request at a time and parses as little of the responses as possible, because a full client
 * would take processor time from the server.
 */
export class Connection {
  private text = '';
  private answered: ((response: string) => void) | undefined;
  private failed: ((error: Error) => void) | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly status: number,
  ) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: unknown) => this.read(String(text)));
    socket.on('error', (error) => this.failed?.(error));
    socket.on('close', () => this.failed?.(new Error('The server has closed a connection.')));
  }

  /** Resolves when it is open. @param status the status that every response must have */
  static open(port: number, status: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(new Connection(socket, status)));
      socket.once('error', reject);
    });
  }

  /** Sends one at a time. Resolves with the complete response, head and body. @throws Error if it has another status */
  send(request: string | Buffer): Promise<string> {
    return new Promise((answered, failed) => {
      this.answered = answered;
      this.failed = failed;
      this.socket.write(request);
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
    if (!this.text.startsWith(`HTTP/1.1 ${this.status}`) || Number.isNaN(length)) {
      this.failed?.(new Error(`The status is not ${this.status}: ${this.text.slice(0, 500)}`));
    } else if (this.text.length >= head + HEAD_END.length + length) {
      const response = this.text;
      this.text = '';
      this.answered?.(response);
    }
  }
}
