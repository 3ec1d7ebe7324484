import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { identityOf, isRunning } from './pids.js';

const holderSchema = z.object({
  pid: z.int().positive(),
  startedAt: z.string(),
  since: z.iso.datetime(),
  says: z.string(),
});

/** Who holds a lock: its process, since when, and what it wishes to say to whoever comes second. */
export type LockHolder = z.infer<typeof holderSchema>;

/** Somebody who is still running holds the lock. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';

  constructor(
    readonly file: string,
    readonly holder: LockHolder,
  ) {
    super(`process ${holder.pid} holds ${file} since ${holder.since}`);
  }
}

/** Takes the lock or throws LockHeld. A lock whose holder is no more (by pid and start time) is taken over. */
export function takeLock(file: string, says = ''): () => void {
  const self = identityOf(process.pid);
  if (self === undefined) throw new Error('this process cannot find its own start time');
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ ...self, since: new Date().toISOString(), says } satisfies LockHolder));
  try {
    while (!linked(mine, file)) {
      const holder = lockHolder(file);
      if (holder !== undefined) throw new LockHeld(file, holder);
      clearStale(file);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** Does the work while holding the lock, waiting for others to give it back; throws LockHeld when that takes too long. */
export async function withLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      const giveBack = takeLock(file);
      return await work().finally(giveBack);
    } catch (error) {
      if (!(error instanceof LockHeld) || error.file !== file || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** Who holds this lock now and is running; undefined when nobody does. */
export function lockHolder(file: string): LockHolder | undefined {
  const text = textOf(file);
  return text === undefined ? undefined : holderIn(text);
}

/** Undefined when there is no lock. */
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

/** A link appears whole or not at all, with its content in it: no second reader ever sees an empty lock. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose holder is gone, under a lock of its own and after reading it again: whoever read the same holder
 * earlier and comes later must not remove the next one's fresh lock. Nobody else removes what is read here as stale.
 */
function clearStale(file: string): void {
  const giveBack = replaceStale(`${file}.takeover`);
  if (giveBack === undefined) return;
  const text = textOf(file);
  if (text !== undefined && holderIn(text) === undefined) rmSync(file, { force: true });
  giveBack();
}

/** Undefined while another process clears the same lock: it takes a moment. */
function replaceStale(file: string): (() => void) | undefined {
  try {
    return takeLock(file);
  } catch (error) {
    if (error instanceof LockHeld) return undefined;
    throw error;
  }
}
