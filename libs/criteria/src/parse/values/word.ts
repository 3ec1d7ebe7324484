import {
  CODE,
  isAsciiLetter,
  isDigit,
  isForeignComma,
  isSpace,
  isTypographicQuote,
  isWordCharacter,
} from '../../text/characters.js';
import { isClockColon } from '../../text/dates.js';
import type { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { literal } from './pattern-text.js';

/** A value without quotes. It ends before `..`, before white space and before the signs of the grammar. */
export function readWord(cursor: Cursor): ValueNode {
  const position = cursor.at;
  let wildcard = false;
  let text = '';
  let from = position;
  for (cursor.skipPlain(); continuesWord(cursor, position); cursor.skipPlain()) {
    const code = cursor.code();
    if (code === CODE.star || code === CODE.question) wildcard = true;
    if (code === CODE.backslash) {
      text += cursor.text.slice(from, cursor.at);
      from = passBackslash(cursor);
    }
    cursor.at++;
  }
  text += cursor.text.slice(from, cursor.at);
  const length = cursor.at - position;
  const pattern = wildcard ? patternOf(text, cursor.text.slice(position, cursor.at)) : undefined;
  return { kind: 'scalar', text, quoted: false, pattern, position, length };
}

/** The pattern of a word that holds a wildcard: its source with fewer escapes, if there are any. */
function patternOf(text: string, source: string): string {
  if (text.length === source.length) return text;
  let pattern = '';
  for (let at = 0; at < source.length; at++) {
    pattern += source.charCodeAt(at) === CODE.backslash ? literal(source.charAt(++at)) : source.charAt(at);
  }
  return pattern;
}

function continuesWord(cursor: Cursor, start: number): boolean {
  const code = cursor.code();
  if (code === CODE.dot) return cursor.code(1) !== CODE.dot;
  if (code === CODE.colon) return isClockColon(cursor.text, start, cursor.at);
  return isWordCharacter(code);
}

/** Goes to the character that the backslash makes literal, and says where that is. */
function passBackslash(cursor: Cursor): number {
  const escaped = cursor.text[cursor.at + 1] ?? '';
  if (!canBeEscaped(escaped)) {
    const next = cursor.text.codePointAt(cursor.at + 1);
    const sequence = `\\${next === undefined ? '' : String.fromCodePoint(next)}`;
    throw mistake('INVALID_ESCAPE', cursor.spanAhead(sequence.length), `invalid escape "${sequence}"`, {
      hint: 'outside quotes a backslash makes the next punctuation mark or space literal',
    });
  }
  return ++cursor.at;
}

function canBeEscaped(character: string): boolean {
  const code = character.charCodeAt(0);
  const isPunctuation = code > 0x20 && code < 0x7f && !isDigit(code) && !isAsciiLetter(code);
  return isPunctuation || isSpace(code) || isTypographicQuote(code) || isForeignComma(code);
}
