import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { WrongUsage } from '@carbon/terminal';
import { openNamelessFile } from './nameless-file.js';

/** What is to be published: a file that can be read twice. */
export interface Input extends AsyncDisposable {
  /** As a person calls it. */
  readonly name: string;
  readonly file: FileHandle;
  readonly bytes: number;
  /** Where its bad lines go with `--skip-invalid`. */
  readonly invalidPath: string;
}

/**
 * Opens FILE, or standard input for `-`. What can be read only once (standard input, a pipe) is spooled to disk first, in
 * a file without a name, so that nothing is left behind whatever happens. Throws {@link WrongUsage} when FILE cannot be read.
 */
export async function openInput(path: string): Promise<Input> {
  if (path === '-') return describe('standard input', await spool(process.stdin), './invalid.ndjson');
  const kind = await stat(path).catch(unreadable(path));
  if (kind.isDirectory()) throw new WrongUsage(`${path} is a directory: name a file with one asset a line`);
  if (!kind.isFile()) return describe(path, await spool(createReadStream(path)), './invalid.ndjson');
  return describe(path, await open(path).catch(unreadable(path)), invalidPathOf(path));
}

/** `assets.ndjson` → `assets.invalid.ndjson`, beside it. */
export function invalidPathOf(path: string): string {
  return `${path.replace(/\.ndjson$/, '')}.invalid.ndjson`;
}

async function describe(name: string, file: FileHandle, invalidPath: string): Promise<Input> {
  const { size: bytes } = await file.stat();
  return { name, file, bytes, invalidPath, [Symbol.asyncDispose]: () => file.close() };
}

async function spool(stream: NodeJS.ReadableStream): Promise<FileHandle> {
  const file = await openNamelessFile();
  for await (const chunk of stream) await file.appendFile(chunk);
  return file;
}

function unreadable(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new WrongUsage(`${path} cannot be read (${error.code ?? error.message})`);
  };
}
