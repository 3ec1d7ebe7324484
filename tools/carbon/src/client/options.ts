import { MOMENT_FORMS, momentOf, WrongUsage } from '@carbon/terminal';
import { type Command, InvalidArgumentError } from 'commander';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const MOST = 1_000_000;

/** A weight in kilograms. Whether it is one that can be offset, the service says. */
export function readWeight(text: string): number {
  const weight = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(weight)) return weight;
  throw new InvalidArgumentError(
    'a weight is a number of kilograms, such as 1234.5, without a unit and without commas.',
  );
}

/** How many. */
export function readCount(text: string): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST) return count;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${MOST}.`);
}

/** A moment, or how long ago it was. */
export function readMoment(text: string): Date {
  const moment = momentOf(text);
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError(`must be ${MOMENT_FORMS}.`);
}

/** Names separated by commas. */
export function readNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

/**
 * A key that a retry can be told by.
 *
 * @throws WrongUsage for an API key, which is printed nowhere: what commander says would repeat it
 */
export function readIdempotencyKey(text: string): string {
  if (text.includes('cl_live_')) {
    throw new WrongUsage('error: --idempotency-key: that is an API key; it goes into API_KEY');
  }
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('must be 1 to 255 visible ASCII characters, without spaces.');
}

/** How a command prints. */
export interface PrintFlags {
  readonly json?: boolean;
}

/** How much of a list is printed. */
export interface ListFlags extends PrintFlags {
  readonly limit: number;
  readonly all?: boolean;
}

/** How long an end is waited for. */
export interface WaitFlags extends PrintFlags {
  readonly wait?: boolean;
  readonly within: number;
}

/** Adds what every command has. */
export function printing(command: Command): Command {
  return command.option('--json', 'JSON also on a terminal; elsewhere it is JSON anyway');
}

/** Adds what every list has. */
export function listing(command: Command, limit: number): Command {
  return printing(command)
    .option('--limit <n>', 'how many to print', readCount, limit)
    .option('--all', 'print every one, page after page');
}

/** Adds what every command that can wait has. */
export function waiting(command: Command): Command {
  return printing(command)
    .option('--wait', 'wait until it is completed (exit code 0) or failed (1)')
    .option('--within <seconds>', 'how long to wait at most; after that the exit code is 75', readCount, 60);
}
