import type { CriteriaLimits } from '../limits.js';
import type { ValueNode } from '../parse/syntax-tree.js';
import { CODE, isAsciiLetter, isDigit } from '../text/characters.js';
import { foldCharacter } from './index-folding.js';
import type { Comparison, PatternLimit } from './type-failures.js';
import type { CheckedNode } from './typed-tree.js';

/** Returns the condition of a pattern. Fails if there are too many patterns or this one is too broad or costly. */
export function checkPattern(
  comparison: Comparison,
  value: ValueNode,
  on: 'whole' | 'word',
  pattern: string,
): CheckedNode | undefined {
  const { field, failures } = comparison;
  const count = failures.countPattern();
  if (count !== 'within') return count === 'beyond' ? undefined : comparison.fail('patterns', value);
  const exceeded = exceededLimit(pattern, failures.limits);
  if (exceeded !== undefined) return comparison.fail(exceeded, value);
  if (!failures.spendEffort(pattern)) return comparison.fail('patternEffort', value);
  return { kind: 'pattern', field, on, pattern };
}

function exceededLimit(pattern: string, limits: CriteriaLimits): PatternLimit | undefined {
  let [stars, questions, literals] = [0, 0, 0];
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.star) stars++;
    else if (code === CODE.question) questions++;
    else {
      literals++;
      if (code === CODE.backslash || isHighSurrogate(code)) at++;
    }
  }
  if (stars > limits.patternStars) return 'patternStars';
  if (questions > limits.patternQuestions) return 'patternQuestions';
  const first = pattern.charCodeAt(0);
  const isLeading = first === CODE.star || first === CODE.question;
  if (isLeading && literals < limits.leadingPatternLiterals) return 'leadingPatternLiterals';
  return literals < limits.patternLiterals ? 'patternLiterals' : undefined;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * Characters that the index folds to wildcards or to the escape character, with their escaped forms. Unescaped, they
 * would become wildcards after the limits are checked.
 */
const SIGN_LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ['\u2047', '\\?\\?'],
  ['\u2048', '\\?!'],
  ['\u2049', '!\\?'],
  ['\u204e', '\\*'],
  ['\uff0a', '\\*'],
  ['\uff1f', '\\?'],
  ['\uff3c', '\\\\'],
]);

/** Returns a pattern for whole values, in NFC like the values; the index folds its letters. */
export function wholePattern(pattern: string): string {
  const composed = pattern.normalize('NFC');
  let plain = '';
  for (let at = 0; at < composed.length; at++) {
    const character = composed.charAt(at);
    plain += character > '\u2000' ? (SIGN_LOOKALIKES.get(character) ?? character) : character;
  }
  return plain;
}

/** The index tokenizes letters, digits, letter numerals (`Ⅷ`) and pictographs as words, but not `²` or `½`. */
const WORD_CHARACTER = /[\p{L}\p{Nd}\p{Nl}\p{Extended_Pictographic}]/u;
/** The parts of words beyond ASCII: a pictograph is a word, and a mark follows its base character. */
const WORD_PART = /[\p{L}\p{M}\p{Nd}\p{Nl}]/u;

/** Returns whether the text contains a word; a phrase without words would match nothing. */
export function hasWord(text: string): boolean {
  let isAscii = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code) || isAsciiLetter(code)) return true;
    if (code >= 128) isAscii = false;
  }
  return !isAscii && WORD_CHARACTER.test(text);
}

/**
 * Returns a pattern for the words of a text, folded as the index folds them: it does not fold such patterns itself.
 * Returns undefined if a character separates words, because no word can match such a pattern.
 */
export function wordPattern(pattern: string): string | undefined {
  const composed = pattern.normalize('NFC');
  const folded = foldPattern(composed);
  // A second accent could compose with the letter that lost its first accent, which would change the canonical form.
  return folded === undefined || folded.normalize('NFC') === folded ? folded : wordPattern(folded);
}

function foldPattern(pattern: string): string | undefined {
  let folded = '';
  for (const character of pattern) {
    if (!(character < '\u0080' ? /[\w*?]/ : WORD_PART).test(character)) return undefined;
    folded += character < '\u0080' ? character.toLowerCase() : foldCharacter(character);
  }
  return folded;
}
