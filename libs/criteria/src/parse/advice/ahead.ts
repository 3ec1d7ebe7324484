import { DEFAULT_LIMITS } from '../../limits.js';
import { isNameCharacter, isOperatorSign, isSpace } from '../../text/characters.js';
import { Cursor } from '../cursor.js';
import type { ValueNode } from '../nodes.js';
import { WORD_OPERATORS } from '../predicates/operators.js';
import { SyntaxMistake } from '../syntax-mistake.js';
import { readQuoted } from '../values/quoted.js';
import { readWord } from '../values/word.js';

/** Words that join conditions, here or in other languages: no part of a value of several words. */
const CONNECTORS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'xor', 'nor', 'andnot', 'unless', 'where']);

/** Characters that end a value of several words. */
const PHRASE_ENDS = '()[]{},"&|;';
const LONGEST_PHRASE = 256;

/** The first place from here on that is no white space. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The name that stands at a place in the text, behind blanks; empty when there is none. */
export function nameAt(text: string, from: number): string {
  const start = afterSpace(text, from);
  let end = start;
  while (isNameCharacter(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

/** The literal that stands at a place in the text, behind blanks; nothing when there is none. */
export function literalAt(text: string, from: number): ValueNode | undefined {
  const cursor = new Cursor(text, DEFAULT_LIMITS);
  cursor.at = afterSpace(text, from);
  try {
    const value = '"\''.includes(cursor.character() || ' ') ? readQuoted(cursor) : readWord(cursor);
    return value.length === 0 ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxMistake) return undefined;
    throw error;
  }
}

/** Whether a name with an operator stands at a place in the text: the beginning of a condition. */
export function opensCondition(text: string, from: number): boolean {
  const name = nameAt(text, from);
  if (name === '') return false;
  const end = afterSpace(text, from) + name.length;
  const next = afterSpace(text, end);
  if (isOperatorSign(text.charCodeAt(next))) return true;
  const word = nameAt(text, end).toLowerCase();
  return next > end && (WORD_OPERATORS.has(word) || word === 'is' || (word === 'not' && opensNegated(text, next)));
}

function opensNegated(text: string, not: number): boolean {
  return WORD_OPERATORS.has(nameAt(text, not + 'not'.length).toLowerCase());
}

/** Where a value of several words ends that begins here: before a connector, a bracket, or the next condition. */
export function phraseEnd(text: string, from: number): number {
  let end = from;
  for (let at = from; at < text.length && at - from <= LONGEST_PHRASE; at = afterSpace(text, end)) {
    if (at > from && (CONNECTORS.has(nameAt(text, at).toLowerCase()) || opensCondition(text, at))) break;
    let next = at;
    while (next < text.length && !isSpace(text.charCodeAt(next)) && !PHRASE_ENDS.includes(text.charAt(next))) next++;
    if (next === at) break;
    end = next;
  }
  return end;
}

/** What stands in parentheses or brackets at a place in the text, behind blanks; empty when nothing does. */
export function listAt(text: string, from: number): string {
  const start = afterSpace(text, from);
  const closer = text.charAt(start) === '(' ? ')' : ']';
  const end = '(['.includes(text.charAt(start) || ' ') ? text.indexOf(closer, start) : -1;
  return end < 0 ? '' : text.slice(start + 1, end).trim();
}
