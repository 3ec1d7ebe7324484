import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CommandError, UsageError } from '@carbon/terminal';

/** Longer than any valid asset, which takes about 250 KiB at most. */
export const MAX_LINE_BYTES = 1024 * 1024;
const NEW_LINE = 0x0a;

/** A line of a file without its line feed, or a part of a line that is too long to keep in memory. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Whether the line is longer than {@link MAX_LINE_BYTES}; it then comes in parts. */
  readonly isTooLong: boolean;
  /** Whether this is all or the last part of the line. */
  readonly isLast: boolean;
}

/** The lines to publish: a stream that is read once. */
export interface Input {
  /** The name that a person gave it. */
  readonly name: string;
  readonly stream: Readable;
  /** The file for invalid lines with `--skip-invalid`. */
  readonly invalidPath: string;
}

/** Opens a file, or standard input for `-`. @throws UsageError when the file cannot be read */
export async function openInput(path: string, stdin: Readable): Promise<Input> {
  if (path === '-') return { name: 'standard input', stream: stdin, invalidPath: './invalid.ndjson' };
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw new UsageError(`${path} cannot be read (${error.code ?? error.message})`);
  };
  const kind = await stat(path).catch(unreadable);
  if (kind.isDirectory()) throw new UsageError(`${path} is a directory: name a file with one asset a line`);
  const file = await open(path).catch(unreadable);
  const invalidPath = kind.isFile() ? invalidPathOf(path) : './invalid.ndjson';
  return { name: path, stream: createReadStream(path, { fd: file, highWaterMark: 256 * 1024 }), invalidPath };
}

/** `assets.ndjson` → `assets.invalid.ndjson`, in the same folder. */
export function invalidPathOf(path: string): string {
  return `${path.replace(/\.ndjson$/, '')}.invalid.ndjson`;
}

/** Yields the lines that are not blank, in groups as they are read. */
export async function* readLines(stream: Readable): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter();
  for await (const chunk of stream as AsyncIterable<Buffer>) yield splitter.split(chunk);
  yield splitter.end();
}

class LineSplitter {
  private number = 1;
  private parts: Buffer[] = [];
  private length = 0;
  private isTooLong = false;

  split(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, from)) {
      this.keep(chunk.subarray(from, at), lines);
      lines.push(...this.end());
      from = at + 1;
    }
    this.keep(chunk.subarray(from), lines);
    return lines;
  }

  /** Ends the line. */
  end(): Line[] {
    const line = this.take(true);
    this.number += 1;
    this.isTooLong = false;
    return line.isTooLong || !isBlank(line.bytes) ? [line] : [];
  }

  private keep(part: Buffer, lines: Line[]): void {
    this.parts.push(part);
    this.length += part.length;
    if (this.length <= MAX_LINE_BYTES) return;
    this.isTooLong = true;
    lines.push(this.take(false));
  }

  private take(isLast: boolean): Line {
    const [only] = this.parts;
    const bytes = this.parts.length === 1 && only !== undefined ? only : Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    return { number: this.number, bytes, isTooLong: this.isTooLong, isLast };
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** The file for the lines that `--skip-invalid` omits, byte for byte. Created when the first line is added. */
export class InvalidLines implements AsyncDisposable {
  private file: FileHandle | undefined;

  constructor(readonly path: string) {}

  /** The temporary file. It replaces `path` only at the end, because `path` may be the input. */
  private get temporaryPath(): string {
    return `${this.path}.new`;
  }

  /** Appends a line, or a part of one. */
  async add({ bytes, isLast }: Line): Promise<void> {
    this.file ??= await open(this.temporaryPath, 'w').catch(this.unwritable);
    await this.file.appendFile(bytes).catch(this.unwritable);
    if (isLast) await this.file.appendFile('\n').catch(this.unwritable);
  }

  /** Renames the temporary file to `path`. */
  async finish(): Promise<void> {
    if (this.file === undefined) return;
    await this.file.close();
    this.file = undefined;
    await rename(this.temporaryPath, this.path).catch(this.unwritable);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.file === undefined) return;
    await this.file.close();
    await rm(this.temporaryPath, { force: true });
  }

  private readonly unwritable = (error: NodeJS.ErrnoException): never => {
    throw new CommandError(`${this.path} cannot be written (${error.code ?? error.message})`);
  };
}
