import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';

const CHECKOUT = resolve(import.meta.dirname, '../..');

/** A command that has ended. */
export interface Ran {
  readonly code: number | null;
  /** The signal that it died of. */
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** What a test does with a command while it runs. */
export interface Running {
  /** Called with all that is written so far. */
  readonly onOutput?: (
    so: Pick<Ran, 'out' | 'err'>,
    command: { end(signal: NodeJS.Signals): void; leave(): void },
  ) => void;
}

/** Runs a built command of the checkout to its end, its output going into pipes. */
export function runBuilt(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { onOutput }: Running = {},
): Promise<Ran> {
  return new Promise((settle, reject) => {
    const child = spawn(process.execPath, [resolve(CHECKOUT, file), ...args], {
      env: { ...inheritedEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { out: '', err: '' };
    const hands = {
      end: (signal: NodeJS.Signals) => void child.kill(signal),
      /** Reads no more of what it writes. */
      leave: () => void child.stdout.destroy(),
    };
    const add = (stream: 'out' | 'err') => (text: string) => {
      written[stream] += text;
      onOutput?.(written, hands);
    };
    child.stdout.setEncoding('utf8').on('data', add('out'));
    child.stderr.setEncoding('utf8').on('data', add('err'));
    child.on('error', reject).on('close', (code, signal) => settle({ code, signal, ...written }));
  });
}
