import { once } from 'node:events';
import { kafkaConnection } from '@carbon/messaging';
import { CannotDo, Output, Screen } from '@carbon/terminal';
import { DeadLetters } from './dead-letters.js';
import type { Filter } from './letter/filter.js';
import type { DeadLetter } from './letter/letter.js';
import { nameOf, type Place } from './letter/place.js';
import { listLetters } from './list/list-letters.js';
import { Account } from './replay/account.js';
import { lettersAt, lettersOf } from './replay/chosen-letters.js';
import type { Repairs } from './replay/repair.js';
import { ReplayLetters, type ReplayOptions } from './replay/replay-letters.js';
import { readSettings } from './settings.js';
import { letterAsJson, letterAsText } from './show/show-letter.js';
import { wholeMessage } from './show/whole-message.js';

// Each command returns its exit code; what they print is for people on standard error, for programs on standard output.

/** Prints the letters that a filter lets through. */
export async function list(filter: Filter, { json }: { readonly json: boolean }): Promise<number> {
  await using letters = openLetters();
  const progress = new Screen(process.stderr);
  await listLetters(letters, filter, { output: new Output(process.stdout), progress, json });
  return 0;
}

/** Prints one letter, or exactly the bytes of its value. */
export async function show(
  place: Place,
  { json, raw }: { readonly json: boolean; readonly raw: boolean },
): Promise<number> {
  await using letters = openLetters();
  const letter = await letters.find(place);
  if (letter === undefined) throw new CannotDo(`no letter lies at ${nameOf(place)}; \`list\` tells which there are`);
  const whole = await wholeMessage(letters, letter);
  if (!raw) {
    await write(`${json ? letterAsJson(letter, whole) : letterAsText(letter, whole)}\n`);
    return 0;
  }
  if ('gone' in whole) throw new CannotDo(`the bytes of ${nameOf(place)} cannot be had: ${whole.gone}`);
  if (whole.message.value === null) process.stderr.write('its value is null: no bytes\n');
  else await write(whole.message.value);
  return 0;
}

/** Which letters are replayed, as what, and how. */
export interface Replay extends ReplayOptions {
  readonly chosen: readonly Place[] | Filter;
  readonly repairs: Repairs;
  readonly json: boolean;
}

/** Sends letters to their topics again; 1 when one of them was refused. */
export async function replay({ chosen, repairs, json, ...options }: Replay): Promise<number> {
  await using letters = openLetters();
  const progress = new Screen(process.stderr);
  const account = new Account((line) => process.stdout.write(`${line}\n`), progress, json);
  const replaying = new ReplayLetters(letters, options, (outcome) => account.add(outcome));
  const missing = (place: Place) => account.add({ place, outcome: 'refused', ...NO_LETTER });
  try {
    for await (const some of choose(letters, chosen, missing)) await replaying.run(some, repairs);
  } finally {
    progress.say(account.summary(options.dryRun));
  }
  return account.refused > 0 ? 1 : 0;
}

const NO_LETTER = { code: 'no_letter', detail: 'no letter lies there', canBeForced: false } as const;

function choose(
  letters: DeadLetters,
  chosen: Replay['chosen'],
  onMissing: (place: Place) => void,
): AsyncGenerator<DeadLetter[]> {
  return Array.isArray(chosen) ? lettersAt(letters, chosen, onMissing) : lettersOf(letters, chosen as Filter);
}

function openLetters(): DeadLetters {
  const settings = readSettings();
  return new DeadLetters(kafkaConnection(settings), {
    withinMs: settings.ENGINE_WAIT_MS,
    say: (sentence) => process.stderr.write(`${sentence}\n`),
  });
}

/** Nothing may be left in a buffer when the process ends. */
async function write(content: string | Buffer): Promise<void> {
  if (!process.stdout.write(content)) await once(process.stdout, 'drain');
}
