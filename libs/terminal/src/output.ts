import { once } from 'node:events';
import type { Writable } from 'node:stream';

const BUFFERED_CHARACTERS = 64 * 1024;

/** Standard output for many lines: written in pieces, and never faster than whoever reads them. */
export class Output {
  private buffered = '';

  constructor(private readonly stream: Writable) {}

  async line(text: string): Promise<void> {
    this.buffered += `${text}\n`;
    if (this.buffered.length >= BUFFERED_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.buffered;
    this.buffered = '';
    if (text !== '' && !this.stream.write(text)) await once(this.stream, 'drain');
  }
}
