import { echo } from '../../errors/echo.js';
import type { CriteriaField } from '../../fields.js';
import { isSpace } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateNode, ValueNode } from '../nodes.js';
import { existenceTest, patternsOf } from '../predicates/foreign-rewrites.js';
import { afterSpace, literalAt, nameAt, opensCondition, phraseEnd } from './ahead.js';
import { repeatedValue } from './repeated-value.js';
import { scalarOf } from './scalar.js';
import { bare, quoted, quotedPattern } from './spell.js';

/** Words that other languages put between two conditions, with what to write. */
const CONNECTORS: ReadonlyMap<string, string> = new Map([
  ['xor', 'write (a and not b) or (b and not a)'],
  ['nor', 'write and not'],
  ['andnot', 'write and not'],
  ['unless', 'write and not'],
  ['but', 'write and'],
  ['plus', 'write and'],
  ['where', 'write and'],
]);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['≥', '>='],
  ['≤', '<='],
  ['≠', '!='],
  ['＝', '='],
  ['＞', '>'],
  ['＜', '<'],
  ['：', ':'],
]);
const SIGN = /[≥≤≠＝＞＜：]/;
const LETTER = /[\p{L}\p{Nd}]/u;

/** What to do about a word that stands alone. */
export function loneWordHint(cursor: Cursor, word: NameNode): string {
  return (
    signHint(cursor, word) ??
    connectorHint(cursor, word) ??
    phraseHint(cursor, word) ??
    repeatedUnlessField(cursor, word) ??
    fieldHint(cursor, word) ??
    testHint(cursor, word) ??
    freeText(cursor.text, word)
  );
}

/** `rating ≥ 3`, as word processors set it. */
function signHint({ text }: Cursor, { text: word, position, length }: NameNode): string | undefined {
  const after = afterSpace(text, position + length);
  const at = SIGN.test(word) ? position + word.search(SIGN) : after;
  const sign = SIGNS.get(text.charAt(at));
  if (sign === undefined) return undefined;
  const name = echo(word.split(SIGN)[0] ?? '') || 'field';
  return `write ${name} ${sign} ${bare(literalAt(text, at + 1)?.text ?? 'value')}`;
}

function connectorHint({ text, predicates }: Cursor, { text: word, position, length }: NameNode): string | undefined {
  const hint = CONNECTORS.get(word.toLowerCase());
  const next = afterSpace(text, position + length);
  const joins = opensCondition(text, next) || text.charAt(next) === '(';
  if (hint === undefined || !joins) return undefined;
  return predicates.length > 0 ? hint : 'leave it out: criteria are conditions alone';
}

/** `name:Base Carbon`: a value of several words. */
function phraseHint({ text, predicates, fields }: Cursor, word: NameNode): string | undefined {
  const before = predicates.at(-1);
  const value = before && scalarOf(before);
  if (before === undefined || value === undefined || value.quoted || !follows(text, value, word)) return undefined;
  const field = fields?.find(before.field);
  const isField = fields?.find(word.text) !== undefined;
  if (isField && field?.type !== 'text') return undefined;
  const end = Math.max(phraseEnd(text, value.position), word.position + word.length);
  const start = echo(text.slice(before.position, value.position));
  return `quote values that contain spaces: ${spelled(start, before, field, text.slice(value.position, end))}`;
}

function spelled(start: string, before: PredicateNode, field: CriteriaField | undefined, phrase: string): string {
  if (before.kind === 'like') return `${start}${quotedPattern(phrase)}`;
  if (!/[*?]/.test(phrase)) return `${start}${quoted(phrase)}`;
  return patternsOf(field) === 'whole'
    ? `${echo(before.field)} like ${quotedPattern(phrase)}`
    : `${start}(${phrase.split(/\s+/).join(' and ')})`;
}

/** Whether only white space lies between a value and a word. */
function follows(text: string, value: ValueNode, word: NameNode): boolean {
  for (let at = value.position + value.length; at < word.position; at++) {
    if (!isSpace(text.charCodeAt(at))) return false;
  }
  return true;
}

function repeatedUnlessField(cursor: Cursor, word: NameNode): string | undefined {
  return cursor.fields?.find(word.text) === undefined ? repeatedValue(cursor, word) : undefined;
}

/** A field that the caller knows, with no operator that this language has. */
function fieldHint({ text, fields }: Cursor, word: NameNode): string | undefined {
  const field = fields?.find(word.text);
  if (field === undefined) return undefined;
  const after = word.position + word.length;
  if (nameAt(text, after).toLowerCase() === 'not') return negated(text, word, field);
  const value = opensCondition(text, after) ? undefined : literalAt(text, after);
  const isValue = value !== undefined && !/^(and|or|not|null)$/i.test(value.text) && !fields?.find(value.text);
  if (isValue) return `write ${word.text}:${literalOf(text, value)}`;
  return field.type === 'boolean' ? `write ${word.text}:true` : `write ${word.text} exists, or a condition on it`;
}

/** `rating not 3`, `ticker not = BCT`. */
function negated(text: string, word: NameNode, field: CriteriaField): string {
  const not = afterSpace(text, word.position + word.length) + 'not'.length;
  const sign = /^\s*(==?|:|!=)?\s*/.exec(text.slice(not, not + 20))?.[0] ?? '';
  const value = literalAt(text, not + sign.length);
  const form = field.type === 'text' && !field.exact ? ':' : ' = ';
  if (value === undefined) return `write not before the field: not ${word.text}${form}value`;
  return `write not ${word.text}${form}${literalOf(text, value)}`;
}

function literalOf(text: string, value: ValueNode): string {
  return echo(text.slice(value.position, value.position + value.length));
}

/** `exists rating`, `has rating`. */
function testHint({ text }: Cursor, word: NameNode): string | undefined {
  const after = word.position + word.length;
  const name = nameAt(text, after);
  return name === '' || opensCondition(text, after) ? undefined : existenceTest(word.text, echo(name));
}

function freeText(text: string, word: NameNode): string {
  const advice = 'use the fullTextSearch parameter for free text';
  const end = Math.max(phraseEnd(text, word.position), word.position + word.length);
  const phrase = text.slice(word.position, end);
  return LETTER.test(phrase) ? `${advice}, or write name:${bare(phrase)}` : advice;
}
