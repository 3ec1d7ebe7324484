import type { Term } from './terms.js';

// Below, almost any two words make a third one.
const SHORTEST_TO_JOIN = 3;
const SHORTEST_PART = 2;
const SHORTEST_TO_PART = 5;
const LONGEST_TO_PART = 20;
// Scripts that part words by spaces; of others the index's tokenizer makes words by itself.
const LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+$/u;
const JOINT = /[-‐‑_'’]/gu;

/**
 * Other ways to write the term at this place, for one writes "windfarm", another "wind farm" or "wind-farm": joined to
 * the word before or after it, without its hyphens, or parted into two words wherever it can be.
 */
export function formsOf(terms: readonly Term[], place: number): string[] {
  const term = terms[place];
  if (term === undefined || term.quoted) return [];
  const neighbours = [joined(terms[place - 1], term), joined(term, terms[place + 1])];
  return [...neighbours, withoutJoints(term.text)].filter((form) => form !== undefined).concat(parted(term.text));
}

function joined(left: Term | undefined, right: Term | undefined): string | undefined {
  return left && right && mayBeJoined(left) && mayBeJoined(right) ? left.text + right.text : undefined;
}

function mayBeJoined({ text, quoted }: Term): boolean {
  return !quoted && LETTERS.test(text) && [...text].length >= SHORTEST_TO_JOIN;
}

function withoutJoints(text: string): string | undefined {
  const bare = text.replace(JOINT, '');
  return bare !== text && LETTERS.test(bare) ? bare : undefined;
}

/** Each is searched for as a phrase, so only words that stand side by side are found. */
function parted(text: string): string[] {
  const letters = [...text];
  if (!LETTERS.test(text) || letters.length < SHORTEST_TO_PART || letters.length > LONGEST_TO_PART) return [];
  const cuts = letters.length - 2 * SHORTEST_PART + 1;
  return Array.from({ length: cuts }, (_, cut) => {
    const at = cut + SHORTEST_PART;
    return `${letters.slice(0, at).join('')} ${letters.slice(at).join('')}`;
  });
}
