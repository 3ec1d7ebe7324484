import { isAsciiLetter, isDigit } from '../../text/characters.js';
import { WORD_CHARACTER } from './word-characters.js';

/** Whether the text holds a letter, a digit or a pictograph; a phrase without any would match nothing. */
export function hasWord(text: string): boolean {
  let isAscii = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code) || isAsciiLetter(code)) return true;
    if (code >= 128) isAscii = false;
  }
  return !isAscii && WORD_CHARACTER.test(text);
}
