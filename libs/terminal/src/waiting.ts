import type { Screen } from './screen.js';

/** What is answered sooner needs no word. */
const SILENT_MS = 500;
const TICK_MS = 100;

/** Waits for work, and says meanwhile what for and how long it has been. */
export async function whileWaiting<T>(
  screen: Pick<Screen, 'show' | 'clear'>,
  what: string,
  work: Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const timer = setInterval(() => {
    const ms = performance.now() - begun;
    if (ms >= SILENT_MS) screen.show(`${what}, ${Math.floor(ms / 1_000)} s`);
  }, TICK_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    screen.clear();
  }
}
