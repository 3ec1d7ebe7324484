import { randomUUID } from 'node:crypto';
import type { AcceptedOffset } from '@carbon/client';
import { ending, Interrupted, printable } from '@carbon/terminal';
import type { Command } from 'commander';
import { type Means, withMeans } from '../means.js';
import { readIdempotencyKey, readWeight, type WaitFlags, waiting } from '../options.js';
import { quoted } from '../refusals/explain.js';
import { waitForOffset } from './wait-for-offset.js';

interface Flags extends WaitFlags {
  readonly estimate?: string;
  readonly ref?: string;
  readonly idempotencyKey?: string;
}

const HELP = `
It is accepted when this ends with 0: durable, and worked on after that. Under
one --idempotency-key there is one offset, however often the command runs;
without it each run makes a new one.

  npm run cli -- offset 1234.5
  npm run cli -- offset 1234.5 --ref order-77 --idempotency-key order-77 --wait`;

/** `offset <kg>` */
export function addCreateOffset(program: Command): void {
  const command = program
    .command('offset')
    .argument('<kg>', 'the emissions to offset, in kilograms of CO2-equivalent', readWeight)
    .description('have emissions offset')
    .option('--estimate <id>', 'at the prices of this estimate, which must be for the same weight')
    .option('--ref <text>', 'your own name for whom it is for')
    .option(
      '--idempotency-key <key>',
      'your own name for this request, so that it is safe to run again',
      readIdempotencyKey,
    )
    .addHelpText('after', HELP);
  waiting(command).action((kg: number, flags: Flags) =>
    ending(withMeans(flags, {}, (means) => createOffset(means, kg, flags))),
  );
}

async function createOffset(means: Means, kgCO2e: number, flags: Flags): Promise<number> {
  const { printer, screen } = means;
  const accepted = await accept(means, kgCO2e, flags);
  if (accepted.replayed) screen.say('It had been accepted before, under the same key: there is no second one.');
  const message = printable(accepted.message);
  if (flags.wait) {
    screen.say(message);
    return await waitForOffset(means, accepted.id, flags.within);
  }
  await printer.one(accepted, () => [message]);
  return 0;
}

async function accept(means: Means, kgCO2e: number, flags: Flags): Promise<AcceptedOffset> {
  const { carbon, screen, signal } = means;
  // Made here and not by the client, so that it can be told when the command is ended before there is an answer.
  const idempotencyKey = flags.idempotencyKey ?? randomUUID();
  const offset = { kgCO2e, estimateId: flags.estimate, customerRef: flags.ref };
  try {
    return await means.answered(
      carbon.offsets.create(offset, { idempotencyKey, signal }),
      'waiting until it is accepted',
    );
  } catch (error) {
    if (error instanceof Interrupted) {
      screen.say(`Ended before there was an answer: it may be accepted, or not.
The same command with --idempotency-key ${quoted(idempotencyKey)} asks again, and cannot make a second offset.`);
    }
    throw error;
  }
}
