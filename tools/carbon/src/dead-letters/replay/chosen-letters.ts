import type { TopicName } from '@carbon/contracts';
import type { DeadLetters } from '../dead-letters.js';
import { type Filter, fits, topicsOf } from '../letter/filter.js';
import type { DeadLetter } from '../letter/letter.js';
import type { Place } from '../letter/place.js';
import { lettersInTurn } from './letters-in-turn.js';

/** The letters at some places, each once, topic by topic; `onMissing` gets the places where none lies. */
export async function* lettersAt(
  letters: DeadLetters,
  places: readonly Place[],
  onMissing: (place: Place) => void,
): AsyncGenerator<DeadLetter[]> {
  for (const topic of new Set(places.map((place) => place.topic))) {
    const wanted = new Set(positionsOn(topic, places));
    const sorted = [...wanted].sort((one, other) => (one < other ? -1 : 1));
    const part = { position: sorted[0], until: (sorted.at(-1) ?? 0n) + 1n };
    yield* lettersInTurn(letters, topic, part, ({ place }) => wanted.delete(place.position));
    for (const position of wanted) onMissing({ topic, position });
  }
}

/** Every letter that a filter lets through. */
export async function* lettersOf(letters: DeadLetters, filter: Filter): AsyncGenerator<DeadLetter[]> {
  for (const topic of topicsOf(filter)) {
    yield* lettersInTurn(letters, topic, { since: filter.since }, (letter) => fits(filter, letter));
  }
}

function positionsOn(topic: TopicName, places: readonly Place[]): bigint[] {
  return places.filter((place) => place.topic === topic).map(({ position }) => position);
}
