import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';

/** The folder of the checkout. */
export const ROOT = join(import.meta.dirname, '../..');

/** The folder of the frozen lists. */
export const FROZEN = join(ROOT, 'acceptance/frozen');

/** Returns the content of a file of the frozen lists. */
export function frozen(file: string): unknown {
  return JSON.parse(readFileSync(join(FROZEN, file), 'utf8'));
}

/** How a program ended. */
export interface Ran {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null;
  readonly out: string;
  readonly err: string;
}

/** Returns what a root script runs after its build: a file and arguments for node. */
export function programOf(script: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const last = scripts[script]?.split('&& ').at(-1) ?? '';
  return last
    .replace(/^exec /, '')
    .split(' ')
    .slice(1);
}

/**
 * Runs a node program to its end, with pipes for its output.
 * @param seen called with the output so far, and a function that sends a signal
 */
export function run(
  program: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  seen: (so: Omit<Ran, 'code'>, kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, program, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const written = { out: '', err: '' };
    const add = (stream: 'out' | 'err') => (text: string) => {
      written[stream] += text;
      seen(written, (signal) => child.kill(signal));
    };
    child.stdout.setEncoding('utf8').on('data', add('out'));
    child.stderr.setEncoding('utf8').on('data', add('err'));
    child.on('error', reject).on('close', (code, signal) => resolve({ code: code ?? signal, ...written }));
  });
}
