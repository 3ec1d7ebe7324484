import { ConfigError, type Environment, loadCliEnvironment, loadConfig, type SettingsSchema } from '@carbon/config';
import type { z } from 'zod';
import { CommandError, EXIT } from './errors.js';
import { type CommandStreams, TerminalOutput, type TerminalOutputOptions } from './terminal-output.js';

/** The streams, settings and exit code of one run of the command line. */
export class CommandContext {
  exitCode: number = EXIT.done;

  constructor(readonly streams: CommandStreams) {}

  /** Wraps the action of a command. The value that `work` resolves to becomes the run's exit code. */
  action<A extends unknown[]>(work: (...args: A) => Promise<number>): (...args: A) => Promise<void> {
    return async (...args) => {
      this.exitCode = await work(...args);
    };
  }

  /** Creates the output of a command. */
  output(options: TerminalOutputOptions = {}): TerminalOutput {
    return new TerminalOutput(this.streams, options);
  }

  /**
   * Reads settings from the environment, else from the system that runs in this checkout, else their defaults.
   *
   * @throws CommandError with the exit code, naming every invalid setting
   */
  settings<S extends SettingsSchema>(
    schema: S,
    exitCode: number = EXIT.usage,
    environment: Environment = loadCliEnvironment(this.streams.environment),
  ): Readonly<z.output<S>> {
    try {
      return loadConfig(schema, environment);
    } catch (error) {
      throw error instanceof ConfigError ? new CommandError(error.message, exitCode) : error;
    }
  }
}
