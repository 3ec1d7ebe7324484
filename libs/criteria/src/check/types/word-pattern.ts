import { CODE, isAsciiLetter, isDigit } from '../../text/characters.js';
import { hasWord } from './has-word.js';
import { foldCharacter } from './index-folding.js';
import { WORD_PART } from './word-characters.js';

/**
 * A pattern for the words of a text, folded as the index folds them: it does not do so itself. Nothing when a
 * character parts words, for then no word could have that form.
 */
export function wordPattern(pattern: string): string | undefined {
  const composed = pattern.normalize('NFC');
  const folded = foldPattern(composed);
  // A second accent would compose with the letter that lost its first one, and the canonical form would read otherwise.
  return folded === undefined || folded.normalize('NFC') === folded ? folded : wordPattern(folded);
}

function foldPattern(pattern: string): string | undefined {
  let folded = '';
  for (const character of pattern) {
    const code = character.charCodeAt(0);
    if (code < 128) {
      if (!isWordPart(code)) return undefined;
      folded += character.toLowerCase();
    } else {
      if (!WORD_PART.test(character)) return undefined;
      folded += foldCharacter(character);
    }
  }
  return folded;
}

/** The parts of a pattern between the characters that part words; those that hold a letter or a digit. */
export function wordsOfPattern(pattern: string): readonly string[] {
  const spaced = Array.from(pattern.normalize('NFC'), (character) =>
    wordPattern(character) === undefined ? ' ' : character,
  );
  return spaced.join('').split(' ').filter(hasWord);
}

function isWordPart(code: number): boolean {
  return (
    isAsciiLetter(code) || isDigit(code) || code === CODE.star || code === CODE.question || code === CODE.underscore
  );
}
