/** Long enough for a signal to arrive at the process that sent it. */
const SIGNAL_MS = 1_000;

/** A person or the system ended the command; it dies of that signal, so that whoever started it knows. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor(readonly signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
  }
}

/** Goes when a person presses Ctrl-C, or the process is told to end. The second time the process ends at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Interrupted(signal)));
  }
  return controller.signal;
}

/** Ends the process by a signal: a shell goes on with its loop after an exit code, and ends it after a signal. */
export async function dieOf(signal: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, signal);
  await new Promise((resolve) => setTimeout(resolve, SIGNAL_MS));
}
