import { isNameCharacter, isSpace, isWordCharacter } from '../characters.js';

/** How a condition is written here, given its field and value as they were written there. */
export type Rewrite = (field: string, value: string) => string;

const contains: Rewrite = (field, value) => `${field}:"${value}" for words, or ${field} like "*${value}*"`;
const startsWith: Rewrite = (field, value) => `${field} like "${value}*"`;
const endsWith: Rewrite = (field, value) => `${field} like "*${value}"`;
const equals: Rewrite = (field, value) => `${field} = "${value}"`;
const exists: Rewrite = (field) => `${field} exists`;
const isMissing: Rewrite = (field) => `${field} is null`;

/** Operators and functions of other languages that are words. */
const REWRITES: ReadonlyMap<string, Rewrite> = new Map([
  ['contains', contains],
  ['co', contains],
  ['matches', contains],
  ['startswith', startsWith],
  ['starts', startsWith],
  ['sw', startsWith],
  ['endswith', endsWith],
  ['ends', endsWith],
  ['ew', endsWith],
  ['ilike', (field, value) => `${field} like "${value}"`],
  ['equals', equals],
  ['exists', exists],
  ['has', exists],
  ['pr', exists],
  ['missing', isMissing],
  ['isnull', isMissing],
  ['after', (field, value) => `${field} > ${value}`],
  ['before', (field, value) => `${field} < ${value}`],
]);

/** The rewrite for a word operator or function, in any letter case. */
export function rewriteOf(word: string): Rewrite | undefined {
  return REWRITES.get(word.toLowerCase());
}

/** The name that stands at a place in the text, behind blanks; empty when there is none. */
export function nameAt(text: string, from: number): string {
  const start = afterSpace(text, from);
  let end = start;
  while (isNameCharacter(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

/** The value that stands at a place in the text, behind blanks and without its quotes; empty when there is none. */
export function valueAt(text: string, from: number): string {
  const start = afterSpace(text, from);
  const quote = text.charAt(start);
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, start + 1);
    return close < 0 ? '' : text.slice(start + 1, close);
  }
  let end = start;
  while (isWordCharacter(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

/** The first place from here on that is no white space. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}
