import { once } from 'node:events';
import type { Writable } from 'node:stream';

const BUFFERED_BYTES = 64 * 1024;
const NEW_LINE = Buffer.from('\n');

/** Standard output for many lines: written in pieces, and never faster than whoever reads them. */
export class Output {
  private buffered: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly stream: Writable) {}

  /** @param text without its line end; may be overwritten afterwards */
  async line(text: Buffer): Promise<void> {
    this.buffered.push(Buffer.from(text), NEW_LINE);
    this.bytes += text.length + NEW_LINE.length;
    if (this.bytes >= BUFFERED_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.buffered, this.bytes);
    this.buffered = [];
    this.bytes = 0;
    if (bytes.length > 0 && !this.stream.write(bytes)) await once(this.stream, 'drain');
  }
}
