import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from '@carbon/terminal';

/** Changes take milliseconds. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 20;

/**
 * A file that is there while somebody changes another one. One that was left behind, by a process that was killed in those
 * milliseconds, is not broken into: two who do that at once would both be in.
 */
export class FileLock implements Disposable {
  private constructor(private readonly path: string) {}

  /** Waits for its turn. @throws NoAnswer when that does not come */
  static async take(path: string): Promise<FileLock> {
    const end = performance.now() + PATIENCE_MS;
    while (!made(path)) {
      if (performance.now() > end) throw new NoAnswer(complaint(path));
      await sleep(LOOK_EVERY_MS);
    }
    return new FileLock(path);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { force: true });
  }
}

function made(path: string): boolean {
  const handle = openedFirst(path);
  if (handle === undefined) return false;
  try {
    writeFileSync(handle, `${process.pid}\n`);
    return true;
  } catch (error) {
    // On a full disk: there without a word in it, it would keep everybody out.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

function openedFirst(path: string): number | undefined {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

function complaint(path: string): string {
  let holder = '';
  try {
    holder = ` by process ${readFileSync(path, 'utf8').trim()}`;
  } catch {
    // It has gone this moment.
  }
  return `the key file is being changed${holder}; if nobody does, remove ${path} and try again`;
}
