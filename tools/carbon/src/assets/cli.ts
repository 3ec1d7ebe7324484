#!/usr/bin/env node
import { ending, runCommand } from '@carbon/terminal';
import { Command } from 'commander';
import { list, publish, show, withdraw } from './commands.js';

const PUBLISH = `
Every line is checked first; all faults are told with their line numbers, and
nothing is published unless every line is sound. Assets the library holds
already are not sent again, so publishing a file twice changes nothing.

One line, which is broken here to be read:
  {"id":"pool_bct","type":"POOL","source":"TOUCAN","name":"Base Carbon Tonne",
   "price":2.5,"issued":1000,"active":true}
Required: id, type, source, name. Retirable: with active true, price and issued.`;

const ENVIRONMENT = `
Finds the library of the system that runs in this checkout; elsewhere by
KAFKA_BROKERS and TOPIC_PREFIX.
Exit codes: 0 done, 1 a bad line, an unknown id, or Kafka out of reach, 2 wrong
usage.`;

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

await runCommand(program);
