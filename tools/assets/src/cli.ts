#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { list, publish, show, withdraw } from './commands.js';
import { CannotDo, WrongUsage } from './failures.js';

const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;

const PUBLISH = `
Every line is checked first; all faults are told with their line numbers, and nothing is published unless every line is
sound. Assets the library holds already are not sent again, so publishing a file twice changes nothing.

One line: {"id":"pool_bct","type":"POOL","source":"TOUCAN","name":"Base Carbon Tonne","price":2.5,"issued":1000,"active":true}
Required: id, type, source, name. Retirable: with active true, price and issued.`;

const ENVIRONMENT = `
Finds the library of the system that runs in this checkout; elsewhere by KAFKA_BROKERS and TOPIC_PREFIX.
Exit codes: 0 done, 1 a bad line, an unknown id, or Kafka out of reach, 2 wrong usage.`;

let exitCode: number = EXIT.done;
const ending = async (code: Promise<number>): Promise<void> => {
  exitCode = await code;
};

const program = new Command('assets')
  .usage('publish|withdraw|list|show')
  .description('Brings assets into the asset library and out of it.')
  .addHelpText('after', ENVIRONMENT)
  .exitOverride();

program
  .command('publish')
  .argument('<file>', 'a file with one asset a line (NDJSON), or - for standard input')
  .description('publish the assets of a file')
  .option('--skip-invalid', 'publish the sound lines, and copy the bad ones to FILE.invalid.ndjson', false)
  .option('--force', 'send assets that are unchanged, too', false)
  .addHelpText('after', PUBLISH)
  .action((file: string, options: { skipInvalid: boolean; force: boolean }) => ending(publish(file, options)));

program
  .command('withdraw')
  .argument('<id...>', 'ids of assets')
  .description('take assets out of the library')
  .action((ids: string[]) => ending(withdraw(ids)));

program
  .command('list')
  .description('print every asset of the library, one a line, by id')
  .action(() => ending(list()));

program
  .command('show')
  .argument('<id>', 'the id of an asset')
  .description('print one asset as JSON')
  .action((id: string) => ending(show(id)));

// Whoever reads our output may have seen enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
);

try {
  await program.parseAsync();
} catch (error) {
  exitCode = report(error);
}
// A connection that is still being tried must not keep a command from ending.
process.exit(exitCode);

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  if (!(error instanceof WrongUsage || error instanceof CannotDo)) throw error;
  process.stderr.write(`${error.message}\n`);
  return error instanceof WrongUsage ? EXIT.wrongUsage : EXIT.failed;
}
