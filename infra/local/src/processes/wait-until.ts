import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Waits until the condition holds; answers whether it came to hold within that time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = LOOK_EVERY_MS,
): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() >= deadline) return false;
    await sleep(everyMs);
  }
  return true;
}
