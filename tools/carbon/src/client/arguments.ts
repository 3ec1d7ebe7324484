import { type Command, countUpTo, InvalidArgumentError, Option, UsageError } from '@carbon/terminal';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const MAX_COUNT = 1_000_000;

/** A number of items or seconds. */
export const readCount = countUpTo(MAX_COUNT);

/** A weight in kilograms. The service decides whether it can be offset. */
export function readWeight(text: string): number {
  const weight = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(weight)) return weight;
  throw new InvalidArgumentError(
    'a weight is a number of kilograms, such as 1234.5, without a unit and without commas.',
  );
}

/** Names, separated by commas. */
export function readNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

/**
 * An idempotency key.
 *
 * @throws UsageError for an API key, without repeating it
 */
export function readIdempotencyKey(text: string): string {
  if (text.includes('cl_live_')) {
    throw new UsageError('error: --idempotency-key: that is an API key; it goes into API_KEY');
  }
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('must be 1 to 255 visible ASCII characters, without spaces.');
}

/** The id of an offset or an estimate, by its prefix. The service checks the rest. */
export function readShownId(text: string): string {
  if (/^(off|est)_/.test(text)) return text;
  throw new InvalidArgumentError('must be the id of an offset (off_…) or of an estimate (est_…).');
}

/** Flags of every command. */
export interface PrintFlags {
  readonly json?: true;
}

/** Flags of lists. */
export interface ListFlags extends PrintFlags {
  readonly limit: number;
  readonly all?: boolean;
}

/** Flags of commands that can wait for an offset. */
export interface WaitFlags extends PrintFlags {
  readonly wait?: boolean;
  readonly within: number;
}

/** Adds the flags of every command. */
export function withPrintFlags(command: Command): Command {
  return command.option('--json', 'JSON, also at a terminal');
}

/** Adds the flags of lists. */
export function withListFlags(command: Command, limit: number): Command {
  return withPrintFlags(command)
    .option('--limit <n>', 'how many to print', readCount, limit)
    .option('--all', 'print all, page after page');
}

/** Adds the flags of commands that can wait for an offset. */
export function withWaitFlags(command: Command): Command {
  return withPrintFlags(command)
    .option('--wait', 'wait until it is completed (exit code 0) or failed (1)')
    .addOption(
      new Option('--within <seconds>', 'wait, but at most this long; after that the exit code is 75')
        .argParser(readCount)
        .default(60)
        .implies({ wait: true }),
    );
}
