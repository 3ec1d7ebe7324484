import { fold } from './fold.js';

/** One step of a pattern: any characters, one character, or exactly this one. */
type Step = { readonly any: true } | { readonly one: true } | { readonly exactly: string };

/**
 * Whether a text has the form of a pattern: `*` is any characters, `?` one, and a backslash makes the next literal. Both
 * are compared folded. By hand and by characters, so that it shares nothing with what the index or the compiler does.
 */
export function hasForm(pattern: string, text: string): boolean {
  const characters = [...fold(text)];
  // The places the text may have been read to, after each step; rising.
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

/** What folds to a sign of patterns, as a full-width asterisk does, is none. */
function literally(character: string): readonly Step[] {
  return [...fold(character)].map((exactly) => ({ exactly }));
}
