#!/usr/bin/env node
import { ending, runCommand, WrongUsage } from '@carbon/terminal';
import { Command } from 'commander';
import { readPlace, readPlaces, readSince, readTopicName, readValue } from './arguments.js';
import { list, replay, show } from './commands.js';
import type { Filter } from './letter/filter.js';
import type { Place } from './letter/place.js';

const ENVIRONMENT = `
A letter is named by its topic and its position among the letters:
offset.requested:17.
Works on the system that runs in this checkout; elsewhere by KAFKA_BROKERS and
TOPIC_PREFIX.
Exit codes: 0 done, 1 a letter was refused or is not there, 2 wrong usage, 75
Kafka gave no answer.`;

const REPLAY = `
Sends the original key, headers and bytes to the original topic, with two headers
more: x-replay-of names the letter, and x-appended-at keeps the time at which
Kafka took the original.
The letter stays where it is. A letter that was cut is taken from where it first
lay, while that is kept.

Refused, unless --force is given: what would be given up again or contradicts
itself; idempotency_conflict; an asset of which the library has a newer version.
Refused always: a cut letter whose original is gone; what is too large for its
topic. An offset request may be replayed any number of times: its id keeps it
single.

  dead-letters show --raw offset.requested:17 > request.json
  mend request.json, then
  dead-letters replay offset.requested:17 --value request.json`;

const program = new Command('dead-letters')
  .usage('list|show|replay')
  .description('Looks after the messages that consumers gave up.')
  .addHelpText('after', ENVIRONMENT)
  .exitOverride();

program
  .command('list')
  .description('print the letters, oldest first, and how many there are of each')
  .option('--topic <topic>', 'only those of this topic', readTopicName)
  .option('--reason <code>', 'only those of this reason')
  .option('--since <time>', 'only newer ones: a time, or how long ago (90m, 12h, 2d)', readSince)
  .option('--json', 'a line of JSON for each', false)
  .action((options: Filter & { json: boolean }) => ending(list(options, options)));

program
  .command('show')
  .argument('<place>', 'as `list` prints it', readPlace)
  .description('print a letter with its headers and its bytes, and what is wrong with it')
  .option('--raw', 'only the bytes of its value, exactly', false)
  .option('--json', 'as JSON', false)
  .action((place: Place, options: { raw: boolean; json: boolean }) => ending(show(place, options)));

interface ReplayFlags extends Filter {
  readonly all: boolean;
  readonly value?: string;
  readonly key?: string;
  readonly type?: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

program
  .command('replay')
  .argument('[place...]', 'as `list` prints them', readPlaces)
  .description('send letters to their topic again, as they were or mended')
  .option('--value <file>', 'with these bytes in place of its own; - for standard input')
  .option('--key <key>', 'with this key in place of its own')
  .option('--type <type>', 'as this event, such as offset.requested.v1')
  .option('--all', 'every letter of a --reason', false)
  .option('--reason <code>', 'with --all: which')
  .option('--topic <topic>', 'with --all: only those of this topic', readTopicName)
  .option('--since <time>', 'with --all: only newer ones', readSince)
  .option('--dry-run', 'only tell what would be sent', false)
  .option('--force', 'also what is refused for good reason', false)
  .option('--json', 'a line of JSON for each', false)
  .addHelpText('after', REPLAY)
  .action((places: readonly Place[], flags: ReplayFlags) => ending(startReplay(places, flags)));

await runCommand(program);

async function startReplay(places: readonly Place[], flags: ReplayFlags): Promise<number> {
  const { all, value, key, type, reason, topic, since, ...options } = flags;
  const isMending = value !== undefined || key !== undefined || type !== undefined;
  if (all !== (places.length === 0)) throw new WrongUsage('name the letters, or say --all with a --reason');
  if (all && reason === undefined) throw new WrongUsage('--all needs a --reason; `list` tells which there are');
  if (!all && (reason ?? topic ?? since) !== undefined)
    throw new WrongUsage('--reason, --topic and --since go with --all');
  if (isMending && places.length !== 1) throw new WrongUsage('--value, --key and --type mend one letter at a time');
  const repairs = { value: value === undefined ? undefined : await readValue(value), key, type };
  return await replay({ ...options, chosen: all ? { reason, topic, since } : places, repairs });
}
