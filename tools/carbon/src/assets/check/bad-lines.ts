import { type FileHandle, open } from 'node:fs/promises';
import type { Line } from '../input/lines.js';

const COPY_BYTES = 64 * 1024;

/** The file that takes the lines `--skip-invalid` leaves out, byte for byte. It is made when the first one comes. */
export class BadLines implements AsyncDisposable {
  private target: FileHandle | undefined;

  constructor(
    private readonly source: FileHandle,
    readonly path: string,
  ) {}

  async add(line: Line): Promise<void> {
    this.target ??= await open(this.path, 'w');
    if (line.bytes) await this.target.appendFile(line.bytes);
    else await this.copy(this.target, line);
    await this.target.appendFile('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.target?.close();
  }

  /** A line too long for memory. */
  private async copy(target: FileHandle, { start, end }: Line): Promise<void> {
    const buffer = Buffer.allocUnsafe(COPY_BYTES);
    for (let position = start; position < end; ) {
      const length = Math.min(COPY_BYTES, end - position);
      const { bytesRead } = await this.source.read(buffer, 0, length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      await target.appendFile(buffer.subarray(0, withoutLineEnd(buffer, bytesRead, position === end)));
    }
  }
}

function withoutLineEnd(buffer: Buffer, length: number, isLast: boolean): number {
  return isLast && buffer[length - 1] === 0x0a ? length - 1 : length;
}
