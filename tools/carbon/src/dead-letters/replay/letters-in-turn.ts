import type { TopicName } from '@carbon/contracts';
import type { DeadLetters, Part } from '../dead-letters.js';
import type { DeadLetter } from '../letter/letter.js';

const LETTERS = 500;
const BYTES = 8 * 1024 * 1024;

/**
 * The wanted letters of a topic, some at a time, so that any number of them fits into memory. Only those that are there at
 * the start: a replayed message that is given up once more must not be replayed without end.
 */
export async function* lettersInTurn(
  letters: DeadLetters,
  topic: TopicName,
  part: Part,
  isWanted: (letter: DeadLetter) => boolean,
): AsyncGenerator<DeadLetter[]> {
  const until = part.until ?? (await letters.endOf(topic));
  for (let position = part.position ?? 0n; ; ) {
    const some: DeadLetter[] = [];
    let bytes = 0;
    let next: bigint | undefined;
    await letters.read(topic, { since: part.since, position, until }, (letter) => {
      if (letter.place.position >= until) return 'enough';
      next = letter.place.position + 1n;
      if (!isWanted(letter)) return undefined;
      some.push(letter);
      bytes += letter.raw.value?.length ?? 0;
      return some.length >= LETTERS || bytes >= BYTES ? 'enough' : undefined;
    });
    if (some.length > 0) yield some;
    if (next === undefined || next >= until) return;
    position = next;
  }
}
