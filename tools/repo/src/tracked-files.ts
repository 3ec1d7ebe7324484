import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The checkout's root: three folders above the compiled or the source file. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** The files of the checkout that git tracks or would track, relative to the root. */
export function trackedFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  // A deleted file is listed until its deletion is staged.
  return list.split('\0').filter((file) => file !== '' && existsSync(resolve(ROOT, file)));
}

/** The text of a file, by its path from the root. */
export function textOf(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8');
}
