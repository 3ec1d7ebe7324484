import { EXIT } from './exit-codes.js';

/** On Ctrl-C the terminal and npm both send SIGINT, so what comes so soon after the first is the same wish. */
const SAME_WISH_MS = 1_000;
const LOOK_AT_PARENT_EVERY_MS = 500;

/** What makes the launcher stop, beside Ctrl-C and SIGTERM. */
export interface StopRequestOptions {
  /** The parent's end: npm, killed with -9, cannot pass anything on. */
  readonly withParent: boolean;
  /** Told the reason, once. */
  readonly tell: (why: string) => void;
}

/**
 * Given when the process is first asked to stop. Who asks again, later, does not want to wait: the process ends at once,
 * and the guards end the rest.
 */
export function stopRequests({ withParent, tell }: StopRequestOptions): AbortSignal {
  const controller = new AbortController();
  let askedAt: number | undefined;
  const ask = (why: string) => {
    if (askedAt !== undefined && Date.now() - askedAt > SAME_WISH_MS) process.exit(EXIT.FAILED);
    if (askedAt !== undefined) return;
    askedAt = Date.now();
    tell(why);
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  if (withParent) onParentsEnd(() => ask('npm has ended'));
  return controller.signal;
}

function onParentsEnd(tell: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    tell();
  }, LOOK_AT_PARENT_EVERY_MS);
  timer.unref();
}
