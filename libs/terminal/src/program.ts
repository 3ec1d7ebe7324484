import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { withoutSecrets } from '@carbon/auth';
import { inheritedEnvironment } from '@carbon/config';
import { Command, CommanderError } from 'commander';
import { CommandContext } from './context.js';
import { CommandError, EXIT, exitBySignal, Interrupted, interruption, OutputClosed } from './errors.js';
import { printableLines } from './text.js';

export { Argument, Command, InvalidArgumentError, Option } from 'commander';

/** Returns a command with help. Its errors and those of its subcommands are thrown, and printed without secrets. */
export function createProgram(name: string, { streams: { stdout, stderr } }: CommandContext): Command {
  return new Command(name).exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    // Commander's messages repeat the argument that it rejects, which may be a mistyped API key.
    writeErr: (text) => stderr.write(withoutSecrets(printableLines(text))),
  });
}

/** Builds the program for a command line. */
export type BuildProgram = (context: CommandContext, args: readonly string[]) => Command | Promise<Command>;

/**
 * Runs a command line. Reports command errors on standard error and returns the exit code.
 * @param args without the name of the program
 * @throws Interrupted after a signal, and any error that is a bug
 */
export async function execute(build: BuildProgram, args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await (await build(context, args)).parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof OutputClosed) return EXIT.done;
    if (!(error instanceof CommandError)) throw error;
    context.streams.stderr.write(`${withoutSecrets(error.styled)}\n`);
    return error.exitCode;
  }
}

/** Runs the command line of this process and ends the process. */
export async function runProcess(build: BuildProgram): Promise<never> {
  try {
    const code = await execute(build, process.argv.slice(2), processContext());
    // Exits instead of setting `process.exitCode`, because a pending connection attempt would keep the process alive.
    return process.exit(code);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    return await exitBySignal(error.signal);
  }
}

function processContext(): CommandContext {
  // Errors of writes are passed to their callbacks; without a listener here, they would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const stdout = fstatSync(1).isFile() ? fileOutput() : process.stdout;
  const { stdin, stderr } = process;
  const environment = inheritedEnvironment();
  let signal: AbortSignal | undefined;
  return new CommandContext({
    ...{ stdin, stdout, stderr, environment },
    // Created on first use: a signal ends a command that does not use it at once.
    get signal() {
      signal ??= interruption();
      return signal;
    },
  });
}

/** Standard output when it is a file: Node's own stream drops the rest of a short write, as on a full disk. */
function fileOutput(): Writable {
  return new Writable({
    decodeStrings: true,
    write(bytes: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  }).on('error', () => {});
}
