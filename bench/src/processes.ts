import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import type { z } from 'zod';

// Built files are a folder deeper than their sources; both are in `bench`.
const ROOT = import.meta.dirname.slice(0, import.meta.dirname.lastIndexOf(`${sep}bench${sep}`));

/** Returns the absolute path of a file of the checkout. */
export function fromRoot(path: string): string {
  return join(ROOT, path);
}

/** A program that succeeded. */
export interface Ran {
  /** From its start to its end. */
  readonly seconds: number;
  /** The maximum memory in MB, if the system reports it (Linux). */
  readonly peakMb: number | undefined;
  /** The processor time until at most 50 ms before the end, in seconds; NaN on systems without /proc. */
  readonly cpuSeconds: number;
}

const POLL_MS = 50;
const WORDS_KEPT = 2_000;

/**
 * Runs a node program to its end. @throws Error with its last output when it fails, or when the run is stopped
 * @param input the program's input, which is empty, ends when this settles; by default at once
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
  input?: Promise<unknown>,
): Promise<Ran> {
  const begun = performance.now();
  const env = { ...inheritedEnvironment(), ...environment };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['pipe', 'ignore', 'pipe'], signal });
  const endInput = () => child.stdin.end();
  void Promise.resolve(input).then(endInput, endInput);
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-WORDS_KEPT);
  });
  let peakMb: number | undefined;
  let cpu = Number.NaN;
  const looking = setInterval(() => {
    peakMb = memoryMb(child.pid, 'VmHWM') ?? peakMb;
    const soFar = cpuSeconds(child.pid);
    if (!Number.isNaN(soFar)) cpu = soFar;
  }, POLL_MS);
  try {
    const [code, killed] = await once(child, 'close');
    if (code !== 0) throw new Error(`${file} exited with ${code ?? killed}:\n${words}`);
    return { seconds: (performance.now() - begun) / 1000, peakMb, cpuSeconds: cpu };
  } finally {
    clearInterval(looking);
  }
}

/** Returns the resident memory of a running process, in MB; NaN on systems without /proc. */
export function residentMb(pid: number | undefined): number {
  return memoryMb(pid, 'VmRSS') ?? Number.NaN;
}

function memoryMb(pid: number | undefined, figure: 'VmHWM' | 'VmRSS'): number | undefined {
  try {
    const found = new RegExp(`^${figure}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? undefined : Number(found[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** Linux reports processor time in hundredths of a second, however its kernel was built. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process has used so far, in seconds; NaN on systems without /proc. */
export function cpuSeconds(pid: number | undefined): number {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/**
 * Returns the process that runs a program with these words in its arguments or its environment, on Linux; undefined where there is
 * none.
 */
export function pidOf(program: string, words: string): number | undefined {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      // It has ended, or this is another system.
      return '';
    }
  };
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const found = pids.find((pid) => {
    const args = read(pid, 'cmdline');
    return args.includes(`\0${program}\0`) && (args.includes(words) || read(pid, 'environ').includes(words));
  });
  return found === undefined ? undefined : Number(found);
}

/** One of our programs in a separate process: a server, or a program that answers one question at a time. */
export class Worker implements AsyncDisposable {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;

  /** @param file the built program; it calls {@link answerQuestions}, or sends a message when it listens */
  constructor(
    private readonly file: string,
    args: readonly string[] = [],
  ) {
    this.child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.ended = once(this.child, 'exit').then(([code, signal]) => {
      throw new Error(`${this.file} exited unexpectedly (${code ?? signal})`);
    });
    // Only a caller that waits for an answer needs the error.
    this.ended.catch(() => {});
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Resolves with its first message, as of a server that listens. @throws when it exits before that */
  async started(): Promise<void> {
    await Promise.race([once(this.child, 'message'), this.ended]);
  }

  /** @param answer the schema of the answer @throws Error with the program's own message when it fails */
  async ask<T>(question: object, answer: z.ZodType<T>): Promise<T> {
    const reply = once(this.child, 'message');
    this.child.send(question);
    const [message] = await Promise.race([reply, this.ended]);
    if (typeof message === 'object' && message !== null && 'failure' in message) {
      throw new Error(String(message.failure));
    }
    return answer.parse(message);
  }

  /** Kills it; resolves when it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

/** The other side: answers each question, and ends with the process that asks. */
export function answerQuestions<T>(question: z.ZodType<T>, answer: (question: T) => object | Promise<object>): void {
  process.on('disconnect', () => process.exit());
  const reply = async (message: unknown): Promise<object> => answer(question.parse(message));
  const failure = (error: unknown) => ({ failure: error instanceof Error ? error.stack : String(error) });
  process.on(
    'message',
    (message) =>
      void reply(message)
        .catch(failure)
        .then((words) => process.send?.(words)),
  );
}
