import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Waits until the condition holds; answers whether it came to hold within that time. */
export async function waitUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() >= deadline) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}
