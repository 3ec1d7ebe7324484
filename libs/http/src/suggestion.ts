import { distance } from 'fastest-levenshtein';

/** Names longer than this are not compared: nobody mistypes a name at such length, and comparing costs its square. */
const LONGEST_COMPARED = 64;

/**
 * The likely intended name among `names`: the same but for case, else the nearest by edit distance, at most two edits
 * (one for names of up to four letters). Undefined when none is that close.
 */
export function suggestionFor(name: string, names: readonly string[]): string | undefined {
  if (name.length > LONGEST_COMPARED) return undefined;
  const plain = name.toLowerCase();
  const near = names
    .map((candidate) => ({ candidate, edits: distance(plain, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= (Math.min(candidate.length, name.length) <= 4 ? 1 : 2))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.candidate;
}
