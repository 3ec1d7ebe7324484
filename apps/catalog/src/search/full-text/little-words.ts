/**
 * Articles, prepositions and "and": what holds a sentence together and says nothing about an asset. "or", "not" and
 * "without" are no such words: who types them asks for something else than without them.
 */
const LITTLE_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'the', 'to', 'with']);

/** Whether a word as typed is one that need not be found when others are typed with it. */
export function isLittleWord(text: string): boolean {
  return LITTLE_WORDS.has(text.toLowerCase());
}
