import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { inheritedEnvironment } from '@carbon/config';

/** A command that has ended. */
export interface Ran {
  /** Its exit code; null if a signal ended it. */
  readonly code: number | null;
  /** What it wrote to standard output. */
  readonly bytes: Buffer;
  /** The same as text. */
  readonly out: string;
  /** What it wrote to standard error. */
  readonly err: string;
}

/** The folder and the environment of a command. */
export interface Run {
  /** Added to the environment of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its standard input; empty by default. */
  readonly input?: string | Buffer;
}

/** Runs a command to its end, with pipes for a terminal. @throws when it cannot be started */
export async function runToEnd(
  command: string,
  args: readonly string[],
  { environment = {}, cwd, input = '' }: Run = {},
): Promise<Ran> {
  const child = spawn(command, args, { env: { ...inheritedEnvironment(), ...environment }, cwd });
  // It may end before it has read all of it.
  child.stdin.on('error', () => {}).end(input);
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [bytes, err, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  return { code, bytes, out: bytes.toString(), err: err.toString() };
}
