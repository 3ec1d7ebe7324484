import type { Output, Screen } from '@carbon/terminal';
import type { DeadLetters } from '../dead-letters.js';
import { type Filter, fits, topicsOf } from '../letter/filter.js';
import type { DeadLetter } from '../letter/letter.js';
import { nameOf } from '../letter/place.js';
import { oneLine } from '../letter/readable.js';
import { Tally } from './tally.js';

const PLACE_WIDTH = 22;
const REASON_WIDTH = 20;
const LONGEST_WORD = 64;

/** Prints the letters of every topic, oldest first, as lines for people or of JSON; then how many there were of each. */
export async function listLetters(
  letters: DeadLetters,
  filter: Filter,
  { output, progress, json }: { readonly output: Output; readonly progress: Screen; readonly json: boolean },
): Promise<void> {
  const tally = new Tally();
  for (const topic of topicsOf(filter)) {
    tally.open(topic);
    let seen = 0;
    await letters.read(topic, filter, async (letter) => {
      seen += 1;
      progress.show(`looked at ${seen.toLocaleString('en-US')} letters of ${topic}`);
      if (!fits(filter, letter)) return undefined;
      tally.add(topic, oneLine(letter.reason, LONGEST_WORD));
      await output.line(Buffer.from(json ? JSON.stringify(factsOf(letter)) : lineOf(letter)));
      return undefined;
    });
  }
  await output.flush();
  for (const line of tally.lines()) progress.say(line);
}

/** What is known of a letter without its content; absent is left out. */
export function factsOf(letter: DeadLetter) {
  const { place, at, appendedAt, reason, handler, attempts, firstFailedAt, origin, cutBytes, raw } = letter;
  return {
    place: nameOf(place),
    at: at.toISOString(),
    appendedAt: appendedAt.toISOString(),
    reason,
    original: origin && { topic: place.topic, partition: origin.partition, position: String(origin.position) },
    handler,
    attempts,
    firstFailedAt,
    key: raw.key === null ? undefined : oneLine(raw.key, LONGEST_WORD * 4),
    bytes: raw.value?.length ?? 0,
    cutBytes: cutBytes === 0 ? undefined : cutBytes,
  };
}

function lineOf(letter: DeadLetter): string {
  const { place, at, reason, handler, attempts, origin, raw } = letter;
  return [
    nameOf(place).padEnd(PLACE_WIDTH),
    at.toISOString(),
    oneLine(reason, LONGEST_WORD).padEnd(REASON_WIDTH),
    origin === undefined ? 'from an unknown place' : `from ${place.topic}/${origin.partition}:${origin.position}`,
    `by ${oneLine(handler, LONGEST_WORD)}`,
    `attempts ${attempts ?? '-'}`,
    `key ${oneLine(raw.key, LONGEST_WORD)}`,
  ].join('  ');
}
