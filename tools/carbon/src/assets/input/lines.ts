import type { FileHandle } from 'node:fs/promises';

/** Longer than any valid asset, which takes at most some 250 KiB. */
export const MAX_LINE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const NEW_LINE = 0x0a;

/** One line of a file, without its line end. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Where it stands in the file, in bytes; `end` is after its line end. */
  readonly start: number;
  readonly end: number;
  /** Undefined for a line longer than {@link MAX_LINE_BYTES}, which is not kept in memory. */
  readonly bytes: Buffer | undefined;
}

/**
 * The lines of a file that are not blank, in groups as they come off the disk. All groups share one buffer: the bytes of a
 * line hold until the next group is asked for.
 */
export async function* readLines(file: FileHandle): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    yield splitter.split(buffer.subarray(0, bytesRead));
  }
  yield splitter.last();
}

class LineSplitter {
  private number = 1;
  private start = 0;
  private length = 0;
  private parts: Buffer[] = [];

  split(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, from)) {
      this.keep(chunk.subarray(from, at));
      this.close(lines, 1);
      from = at + 1;
    }
    this.keep(Buffer.from(chunk.subarray(from)));
    return lines;
  }

  /** What stands after the last line end. */
  last(): Line[] {
    const lines: Line[] = [];
    this.close(lines, 0);
    return lines;
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.length > MAX_LINE_BYTES) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  private close(lines: Line[], lineEnd: number): void {
    const end = this.start + this.length + lineEnd;
    const bytes = this.length > MAX_LINE_BYTES ? undefined : joined(this.parts);
    if (bytes === undefined || !isBlank(bytes)) lines.push({ number: this.number, start: this.start, end, bytes });
    this.number += 1;
    this.start = end;
    this.length = 0;
    this.parts = [];
  }
}

function joined(parts: Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
