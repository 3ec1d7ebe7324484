import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The checkout's root: three folders above the compiled or the source file. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** Every file git tracks or would track, relative to the root. */
export function trackedFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return list.split('\n').filter((file) => file !== '');
}

/** The text of a file, by its path from the root. */
export function textOf(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8');
}
