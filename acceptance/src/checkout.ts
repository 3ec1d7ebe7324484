import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';

/** The folder of the checkout. */
export const ROOT = join(import.meta.dirname, '../..');

/** Where the frozen lists are. */
export const FROZEN = join(ROOT, 'acceptance/frozen');

/** Returns what a file of the frozen lists holds. */
export function frozen(file: string): unknown {
  return JSON.parse(readFileSync(join(FROZEN, file), 'utf8'));
}

/** How a program has ended. */
export interface Ran {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null;
  readonly out: string;
  readonly err: string;
}

/** Returns what a root script runs after it has built what has changed: a file and arguments for node. */
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

/** Runs a node program to its end, its output in pipes. @param seen called with the output so far, and a way to send a signal */
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
