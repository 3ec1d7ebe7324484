import { Readable, Writable } from 'node:stream';
import { inheritedEnvironment } from '@carbon/config';
import { type BuildProgram, CommandContext, execute } from '@carbon/terminal';
import type { Ran, Run } from './run-to-end.js';

/** How a command runs within the test. */
export interface RunInProcess extends Omit<Run, 'cwd'> {
  /** The width of the terminal of standard output; by default it is a pipe. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

/** Runs a command line within this process, which takes a hundredth of the time of a new process. */
export async function runInProcess(
  build: BuildProgram,
  args: readonly string[],
  { environment = {}, input = '', columns, signal = new AbortController().signal }: RunInProcess = {},
): Promise<Ran> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const context = new CommandContext({
    stdin: Readable.from([Buffer.from(input)]),
    stdout: columns === undefined ? stdout : Object.assign(stdout, { isTTY: true, columns }),
    stderr,
    environment: { ...inheritedEnvironment(), ...environment },
    signal,
  });
  const code = await execute(build, args, context);
  const bytes = Buffer.concat(stdout.parts);
  return { code, bytes, out: bytes.toString(), err: Buffer.concat(stderr.parts).toString() };
}

class Collector extends Writable {
  readonly parts: Buffer[] = [];

  override _write(part: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.parts.push(part);
    done();
  }
}
