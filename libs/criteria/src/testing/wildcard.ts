import { fold } from './fold.js';

/** One step of a pattern: any characters, one character, or exactly this one. */
type Step = { readonly any: true } | { readonly one: true } | { readonly exactly: string };

/**
 * Returns whether a text matches a pattern: `*` matches any characters, `?` exactly one, and the character after a backslash
 * is literal. Text and pattern are folded. It works on characters, and shares no code with the index or the compiler.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const characters = [...fold(text)];
  // The positions in the text that can be reached after each step, ascending.
  let places: readonly number[] = [0];
  for (const step of stepsOf(pattern.normalize('NFC'))) places = after(step, characters, places);
  return places.at(-1) === characters.length;
}

function after(step: Step, characters: readonly string[], places: readonly number[]): readonly number[] {
  const [first] = places;
  if (first === undefined) return places;
  if ('any' in step) return Array.from({ length: characters.length - first + 1 }, (_, more) => first + more);
  const fits = (place: number) => place < characters.length && ('one' in step || step.exactly === characters[place]);
  return places.filter(fits).map((place) => place + 1);
}

function stepsOf(pattern: string): readonly Step[] {
  const steps: Step[] = [];
  let isLiteral = false;
  for (const character of pattern) {
    if (isLiteral) steps.push(...literally(character));
    else if (character === '*') steps.push({ any: true });
    else if (character === '?') steps.push({ one: true });
    else if (character !== '\\') steps.push(...literally(character));
    isLiteral = !isLiteral && character === '\\';
  }
  return steps;
}

/** A character that folds to a wildcard, such as a full-width asterisk, is not a wildcard. */
function literally(character: string): readonly Step[] {
  return [...fold(character)].map((exactly) => ({ exactly }));
}
