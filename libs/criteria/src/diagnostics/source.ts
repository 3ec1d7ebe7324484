import type { CriteriaField, CriteriaFields } from '../fields.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { WORD_OPERATORS } from '../operators.js';
import { Cursor } from '../parse/cursor.js';
import { connectorAhead } from '../parse/keywords.js';
import { readQuoted, readWord } from '../parse/strings.js';
import { SyntaxFailure } from '../parse/syntax-failure.js';
import type { PredicateNode, Span, ValueNode } from '../parse/syntax-tree.js';
import { isNameCharacter, isOperatorSign, isSpace } from '../text/characters.js';
import { literal } from '../text/pattern-escapes.js';
import { opensClause } from './clauses.js';
import { repaired } from './repairs.js';
import { echo } from './snippet.js';

/** A text that the parser rejects. */
export interface FailedText {
  readonly text: string;
  /** The start of the piece that breaks a rule. */
  readonly start: number;
  /** Where the parser stopped. */
  readonly at: number;
  /** The last complete predicate before the failure. */
  readonly before: PredicateNode | undefined;
  readonly fields: CriteriaFields;
}

/** A condition of another language: the operands of a word or symbol. */
export interface ForeignCondition {
  /** The field's name as written. */
  readonly name: string;
  /** The field of that name, if there is one. */
  readonly field: CriteriaField | undefined;
  /** The value behind the operator, without its quotes. */
  readonly value: string | undefined;
  /** The content of parentheses behind the operator. */
  readonly list: string;
}

/** A regular expression between slashes, with its flags. */
const EXPRESSION = /^(\/[^/\s]+\/)[a-z]{0,3}(?=[\s)]|$)/;

/** Returns the condition of another language whose value stands at a position. */
export function foreignCondition({ text, fields }: FailedText, name: string, valueAt: number): ForeignCondition {
  const field = fields.find(name);
  const start = afterSpace(text, valueAt);
  const run = field && repaired(field, text.slice(start, phraseEnd(text, start, RUN_ENDS)));
  const expression = EXPRESSION.exec(text.slice(start, start + MAX_PHRASE_LENGTH))?.[1];
  const value = run?.written ?? expression ?? phraseAt(text, valueAt);
  return { name: echo(name), field, value, list: echo(listAt(text, valueAt)) };
}

/** Words that join conditions, here or in other languages, so they end a value of several words. */
const CONNECTORS: ReadonlySet<string> = new Set('and or not xor nor andnot unless where'.split(' '));
/** Characters that end a value of several words. */
const PHRASE_ENDS = '()[]{},"&|;';
/** Characters that end a number or date of several words. */
export const RUN_ENDS = '()[]{}"&|;';
const MAX_PHRASE_LENGTH = 256;

/** A name or word, and its position. */
export interface Name extends Span {
  readonly text: string;
}

/** Returns the first position from here on that is not white space. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the name at a position, behind blanks; empty if there is none. */
export function nameAt(text: string, from: number): string {
  const start = afterSpace(text, from);
  let end = start;
  while (isNameCharacter(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

/** Returns the field's name before an operator; a `-` before it negates. */
export function nameBefore(text: string, operatorAt: number): string {
  const end = text.slice(0, operatorAt).trimEnd().length;
  let start = end;
  while (start > 0 && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end).replace(/^-+/, '');
}

/** Returns a cursor at a position. */
export function cursorAt(text: string, at: number): Cursor {
  const cursor = new Cursor(text, DEFAULT_LIMITS);
  cursor.at = at;
  return cursor;
}

/** Returns the literal at a position, behind blanks, or undefined. */
export function literalAt(text: string, from: number): ValueNode | undefined {
  const cursor = cursorAt(text, afterSpace(text, from));
  try {
    const value = /["']/.test(text.charAt(cursor.at)) ? readQuoted(cursor) : readWord(cursor);
    return value.length === 0 ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxFailure) return undefined;
    throw error;
  }
}

/** Returns whether a condition begins at a position: a name with an operator. */
export function opensCondition(text: string, from: number): boolean {
  const name = nameAt(text, from);
  if (name === '') return false;
  const end = afterSpace(text, from) + name.length;
  const next = afterSpace(text, end);
  if (isOperatorSign(text.charCodeAt(next))) return true;
  const word = nameAt(text, end).toLowerCase();
  const isNegated = word === 'not' && WORD_OPERATORS.has(nameAt(text, next + 'not'.length).toLowerCase());
  return next > end && (WORD_OPERATORS.has(word) || word === 'is' || isNegated);
}

/** Returns whether the text, or a parenthesis, ends here, or a connector follows. */
export function isClosed(text: string, from: number): boolean {
  const at = afterSpace(text, from);
  return at >= text.length || text.charAt(at) === ')' || connectorAhead(cursorAt(text, at)) !== undefined;
}

/** Returns whether a condition may end here: before another one, too. */
export function endsCondition(text: string, from: number): boolean {
  const at = afterSpace(text, from);
  const next = afterSpace(text, at + (connectorAhead(cursorAt(text, at))?.length ?? 0));
  const isNext =
    at > from &&
    (/^\(|^not\b/i.test(text.slice(next, next + 'not '.length)) ||
      opensCondition(text, /[-!]/.test(text.charAt(next)) ? next + 1 : next));
  return isNext || at >= text.length || text.charAt(at) === ')';
}

/** Returns the end of a value of several words: before a connector, a bracket, or the next condition. */
export function phraseEnd(text: string, from: number, ends = PHRASE_ENDS): number {
  let end = from;
  for (let at = from; at < text.length && at - from <= MAX_PHRASE_LENGTH; at = afterSpace(text, end)) {
    if (
      at > from &&
      (CONNECTORS.has(nameAt(text, at).toLowerCase()) || opensCondition(text, at) || opensClause(text, at))
    )
      break;
    let next = at;
    while (next < text.length && !isSpace(text.charCodeAt(next)) && !ends.includes(text.charAt(next))) next++;
    if (next === at) break;
    end = next;
  }
  return end;
}

/** Returns the text of a value with the words behind it that belong to it; undefined if there is none. */
export function phraseAt(text: string, from: number): string | undefined {
  const value = literalAt(text, from);
  if (value === undefined || value.quoted) return value?.text;
  const end = phraseEnd(text, value.position);
  return end > value.position + value.length ? text.slice(value.position, end) : value.text;
}

/** Returns the content of parentheses or brackets at a position, behind blanks; empty if there are none. */
export function listAt(text: string, from: number): string {
  const start = afterSpace(text, from);
  const closer = text.charAt(start) === '(' ? ')' : ']';
  const end = /[([]/.test(text.charAt(start)) ? text.indexOf(closer, start) : -1;
  return end < 0 ? '' : text.slice(start + 1, end).trim();
}

/** Returns the source of a node. */
export function sourceOf(text: string, { position, length }: Span): string {
  return text.slice(position, position + length);
}

/** Returns the operator of a predicate as it is written. */
export function operatorOf(text: string, { operatorAt, operandAt }: PredicateNode): string {
  return text.slice(operatorAt, operandAt).trimEnd();
}

/** Returns the value of a predicate that has a single one. */
export function scalarOf(predicate: PredicateNode | undefined): ValueNode | undefined {
  if (predicate?.kind === 'value') return predicate.operand;
  return predicate?.kind === 'equals' && predicate.operand.kind === 'scalar' ? predicate.operand : undefined;
}

/** A text that needs no quotes, whatever the field. */
const PLAIN = /^-?[\p{L}\p{N}_]([\p{L}\p{N}_.:+-]*[\p{L}\p{N}_])?$/u;
const RESERVED = /^(and|or|not|null)$/i;

/** Returns a text between quotes, for a hint. */
export function quote(text: string): string {
  return `"${echo(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Returns a pattern in quotes, for a hint, with its wildcards and its escapes unchanged. */
export function quotedPattern(pattern: string): string {
  return `"${echo(pattern).replaceAll('"', '\\"')}"`;
}

/** Returns a text within a pattern: its own `*` and `?` are characters. */
export function asLiteral(text: string): string {
  return Array.from(text, literal).join('');
}

/** Returns a text as a value: without quotes if it needs none. */
export function bare(text: string): string {
  const isPlain = PLAIN.test(text) && !text.includes('..') && !RESERVED.test(text);
  return isPlain && !text.slice(1).includes(':') ? echo(text) : quote(text);
}
