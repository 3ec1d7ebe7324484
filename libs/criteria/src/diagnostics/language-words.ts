import type { CriteriaNode, ValueNode } from '../parse/syntax-tree.js';
import type { Hint } from './criteria-error.js';
import { writePiece } from './proposals.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words of a query language that stand in the middle of a phrase no more than at its ends. */
const ANYWHERE = words(
  'than without except unless nor else plus versus vs union select having distinct intersect between summarize case when then CASE IF ASC DESC WITH JOIN',
);
/** Words of a query language or of a sentence that open a phrase which is no value. */
const OPENING = words(
  'never always also only all any every each some either both between eq ne gt ge lt le equal equals is in not no neither nor either project regex matches like niet nicht kein keine pas ikke inte nie',
);
/** Words that join the phrase before them to what follows, in some languages. */
const CLOSING = words(
  'and or not but except excluding without minus plus und oder nicht ohne außer ausser bis et ou non pas sauf sans hors sin sem à y o no e não и или ∨ ∧ in is of to by for on with while whose also including and/or adn nad ro',
);
/** Words that stand for a value, or for an operator, and are none alone. */
const ALONE = words(
  'one of value word set than to more less at least most where with count empty undefined nan nil none null',
);

/** Words that other languages put between two conditions, with the hint. */
export const FOREIGN_CONNECTORS: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ['xor', 'that is (a and not b) or (b and not a)'],
  ['nor', writePiece('and not')],
  ['andnot', writePiece('and not')],
  ['unless', writePiece('and not')],
  ['but', writePiece('and')],
  ['plus', writePiece('and')],
  ['where', writePiece('and')],
]);

/** The spellings of other languages for "has no value". */
export const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'empty missing none nil blank unset unknown undefined nan'.split(' '),
);

/** The hint for a sign that means different things in different languages. */
export const UNEQUAL = 'for "not equal" use !=, for a beginning field like "a*"';

/** The hint where conditions are joined in a way of another language, or of people. */
export const JOINS_HINT = 'conditions are joined with and, or, and not';

/** Returns whether a rewrite has a value that is a word of a language in the text it comes from. */
export function takesWordAsValue(rewrite: CriteriaNode, text: string): boolean {
  return valuesOf(rewrite).some((value) => {
    // An array of PostgreSQL.
    if (value.text.startsWith('{')) return true;
    if (text.includes(`"${value.text}"`) || text.includes(`'${value.text}'`)) return false;
    const joinsMore = value.text.includes(' ') && !text.trimEnd().endsWith(value.text);
    const phrase = value.text.split(/\s+/, MAX_WORDS).map(known);
    const [first = '', last = ''] = [phrase[0], phrase.at(-1)];
    const isAlone = phrase.length === 1 && (ALONE.has(first) || CLOSING.has(first));
    return (
      isAlone || OPENING.has(first) || (joinsMore && CLOSING.has(last)) || phrase.some((word) => ANYWHERE.has(word))
    );
  });
}

/** Returns whether a phrase is a part of a sentence or a query, such as `all pools except BCT`. */
export function isSentence(phrase: string): boolean {
  const [first = '', ...rest] = phrase
    .trim()
    .split(/\s+/, MAX_WORDS)
    .map((word) => word.toLowerCase());
  return OPENING.has(first) || rest.some((word) => ANYWHERE.has(word));
}

/** Returns whether a phrase ends with a word that joins it to what follows, such as `Brazil und nicht`. */
export function endsInConnector(phrase: string): boolean {
  return CLOSING.has((phrase.trim().split(/\s+/).at(-1) ?? '').toLowerCase());
}

const MAX_WORDS = 40;
const SHORTEST_UPPER = 4;

/** A word as its set has it; `IN` and `NO` are codes of countries. */
function known(word: string): string {
  return word === word.toUpperCase() && word.length >= SHORTEST_UPPER ? word.toLowerCase() : word;
}

/** The values anywhere in a tree, except the bounds of ranges. */
function valuesOf(node: object): readonly ValueNode[] {
  const { kind } = node as { readonly kind?: string };
  if (kind === 'scalar') return [node as ValueNode];
  if (kind === 'range') return [];
  return Object.values(node).flatMap((part) => (typeof part === 'object' ? valuesOf(part) : []));
}
