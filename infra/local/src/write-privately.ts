import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file that only its owner may read, whole or not at all, whatever happens meanwhile. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(`${file}.new`, { force: true });
  const fresh = openSync(`${file}.new`, 'wx', 0o600);
  try {
    writeSync(fresh, text);
    fsyncSync(fresh);
  } finally {
    closeSync(fresh);
  }
  renameSync(`${file}.new`, file);
}
