import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { identityOf, isRunning } from './pids.js';

const holderSchema = z.object({
  pid: z.int().positive(),
  startedAt: z.string(),
  since: z.iso.datetime(),
  message: z.string(),
});

/** The holder of a lock: its process, its start, and a message for other processes. */
export type LockHolder = z.infer<typeof holderSchema>;

/** Thrown when a running process holds the lock. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';

  constructor(
    readonly file: string,
    readonly holder: LockHolder,
  ) {
    super(`process ${holder.pid} holds ${file} since ${holder.since}`);
  }
}

/**
 * Takes the lock or throws LockHeld. Replaces a stale lock, whose holder no longer runs (by pid and start time). The
 * returned function gives it back, once: the lock may be another holder's when it is called again.
 */
export function takeLock(file: string, message = ''): () => void {
  const self = identityOf(process.pid);
  if (self === undefined) throw new Error('this process cannot find its own start time');
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ ...self, since: new Date().toISOString(), message } satisfies LockHolder));
  try {
    while (!tryLink(mine, file)) {
      const holder = lockHolder(file);
      if (holder !== undefined) throw new LockHeld(file, holder);
      clearStale(file);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  let isHeld = true;
  return () => {
    if (isHeld) rmSync(file, { force: true });
    isHeld = false;
  };
}

/** Runs `work` while holding the lock, and waits for other holders; throws LockHeld after the timeout. */
export async function withLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      const releaseLock = takeLock(file);
      return await work().finally(releaseLock);
    } catch (error) {
      if (!(error instanceof LockHeld) || error.file !== file || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** Returns the running holder of this lock, or undefined. */
export function lockHolder(file: string): LockHolder | undefined {
  const text = textOf(file);
  return text === undefined ? undefined : holderIn(text);
}

/** Returns undefined if there is no lock. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    const holder = holderSchema.parse(JSON.parse(text));
    return isRunning(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** A link is created atomically with its content, so no reader ever sees an empty lock. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a stale lock under a second lock, after reading it again: a process that read the same stale holder earlier
 * must not remove the lock of the next holder.
 */
function clearStale(file: string): void {
  const releaseLock = replaceStale(`${file}.takeover`);
  if (releaseLock === undefined) return;
  const text = textOf(file);
  if (text !== undefined && holderIn(text) === undefined) rmSync(file, { force: true });
  releaseLock();
}

/** Returns undefined while another process removes the same lock, which takes a moment. */
function replaceStale(file: string): (() => void) | undefined {
  try {
    return takeLock(file);
  } catch (error) {
    if (error instanceof LockHeld) return undefined;
    throw error;
  }
}
