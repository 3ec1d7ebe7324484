/** Letters that the index folds to several, or whose mark Unicode does not take apart. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['’', "'"],
  ['‘', "'"],
]);

/** What the index's filters `lowercase` and `asciifolding` make of a text in Latin, Greek or Cyrillic script. */
export function fold(text: string): string {
  return [...text.normalize('NFC')].map(foldCharacter).join('');
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const single = [...lower].length === 1 ? lower : character;
  const base = single.normalize('NFD');
  return SPECIAL.get(single) ?? (/^\p{Script=Latin}\p{M}+$/u.test(base) ? base.slice(0, 1) : single);
}

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'word' });
const WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/** Texts are cut once: documents are few, and asked again for every condition. */
const CUT = new Map<string, readonly string[]>();

/** The words of a text as the index keeps them. */
export function wordsOf(text: string): readonly string[] {
  const words = CUT.get(text) ?? cut(text);
  CUT.set(text, words);
  return words;
}

function cut(text: string): readonly string[] {
  return [...SEGMENTS.segment(text)]
    .map(({ segment }) => segment)
    .filter((segment) => WORD.test(segment))
    .map(fold);
}
