import { withoutSecrets } from '@carbon/auth';
import { CommandFailure, EXIT } from './failures.js';
import { dieOf, Interrupted } from './interruption.js';
import { printableLines } from './printable.js';

/** What of a commander `Command` is used. Each package has a commander of its own, so its classes are told by their codes. */
export interface CommandLine {
  readonly commands: readonly CommandLine[];
  configureOutput(ways: { writeErr(text: string): void }): unknown;
  parseAsync(): Promise<unknown>;
}

/** The action of a command: it ends with the exit code that its work resolves to. */
export async function ending(code: Promise<number>): Promise<void> {
  process.exitCode = await code;
}

/**
 * Does what the command line says, and ends the process: with the code of {@link ending}, of a failure, or 2 for what
 * commander refused and has told already. Anything else thrown is a bug and shows its stack.
 */
export async function runCommand(program: CommandLine): Promise<never> {
  endWithReader();
  sayWithoutSecrets(program);
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = await afterFailure(error);
  }
  // A connection that is still being tried must not keep a command from ending.
  return process.exit();
}

/** Commander repeats what it refuses, whatever it is: a key, too, for `revoke` takes whole ones. */
function sayWithoutSecrets(program: CommandLine): void {
  program.configureOutput({ writeErr: (text) => complain(printableLines(text)) });
  for (const command of program.commands) sayWithoutSecrets(command);
}

/** @param shown what a terminal may be given */
function complain(shown: string): void {
  process.stderr.write(withoutSecrets(shown));
}

/** Whoever reads our output may have seen enough (`| head`); whoever reads our messages, too. */
function endWithReader(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
    process.exit(EXIT.failed);
  });
}

async function afterFailure(error: unknown): Promise<number> {
  if (isCommanders(error)) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  if (error instanceof Interrupted) {
    await dieOf(error.signal);
    return EXIT.failed;
  }
  if (!(error instanceof CommandFailure)) throw error;
  complain(`${error.shown}\n`);
  return error.exitCode;
}

function isCommanders(error: unknown): error is Error & { readonly exitCode: number } {
  return error instanceof Error && 'exitCode' in error && 'code' in error && `${error.code}`.startsWith('commander.');
}
