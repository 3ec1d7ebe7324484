import type { EqualityForm, Relation } from '../nodes.js';

/** What an operator does, whatever its spelling. */
export type Operation = { readonly negated: boolean } & (
  | { readonly kind: 'equals'; readonly form: EqualityForm }
  | { readonly kind: 'compare'; readonly relation: Relation }
  | { readonly kind: 'in' | 'like' | 'between' | 'exists' }
);

const equals = (form: EqualityForm): Operation => ({ kind: 'equals', form, negated: false });
const differs: Operation = { kind: 'equals', form: 'whole', negated: true };
const compare = (relation: Relation): Operation => ({ kind: 'compare', relation, negated: false });

/** `field exists` and `field is not null`. */
export const PRESENT: Operation = { kind: 'exists', negated: false };

/** `field not exists` and `field is null`. */
export const ABSENT: Operation = { kind: 'exists', negated: true };

/** Operators made of signs; the longest that fits is taken. */
const SIGNS: readonly (readonly [string, Operation])[] = [
  [':', equals('words')],
  ['=', equals('whole')],
  ['==', equals('whole')],
  [':=', equals('whole')],
  ['!=', differs],
  ['<>', differs],
  [':!=', differs],
  ['>', compare('gt')],
  ['>=', compare('gte')],
  ['<', compare('lt')],
  ['<=', compare('lte')],
  [':>', compare('gt')],
  [':>=', compare('gte')],
  [':<', compare('lt')],
  [':<=', compare('lte')],
];

/** The longest operator made of signs. */
export const LONGEST_SIGN = 3;

/** How far one sign moves the others in a key; all are ASCII. */
export const SIGN_BITS = 7;

/**
 * Operators made of signs by key: the codes of their signs side by side, the first in the highest place. So the text need
 * not be cut up to find the operator in it.
 */
export const SIGN_OPERATORS: ReadonlyMap<number, { readonly text: string; readonly operation: Operation }> = new Map(
  SIGNS.map(([text, operation]) => [keyOf(text), { text, operation }]),
);

function keyOf(signs: string): number {
  let key = 0;
  for (let at = 0; at < signs.length; at++) key = (key << SIGN_BITS) | signs.charCodeAt(at);
  return key;
}

/** Operators made of letters, recognised only after a field; `is` has a file of its own. */
export const WORD_OPERATORS: ReadonlyMap<string, Operation> = new Map([
  ['eq', equals('whole')],
  ['ne', differs],
  ['gt', compare('gt')],
  ['ge', compare('gte')],
  ['gte', compare('gte')],
  ['lt', compare('lt')],
  ['le', compare('lte')],
  ['lte', compare('lte')],
  ['in', { kind: 'in', negated: false }],
  ['like', { kind: 'like', negated: false }],
  ['between', { kind: 'between', negated: false }],
  ['exists', PRESENT],
]);

/** Operators that may follow `not`. */
export const NEGATED_OPERATORS: ReadonlyMap<string, Operation> = new Map([
  ['in', { kind: 'in', negated: true }],
  ['like', { kind: 'like', negated: true }],
  ['between', { kind: 'between', negated: true }],
  ['exists', ABSENT],
]);

/** Operators of other languages that begin with one of this, with what to write here. */
export const FOREIGN_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=gt=', '>'],
  ['=ge=', '>='],
  ['=lt=', '<'],
  ['=le=', '<='],
  ['=in=', 'in (…)'],
  ['=out=', 'not in (…)'],
  ['=>', '>='],
  ['=<', '<='],
  ['=~', ':'],
  ['===', '='],
  ['!==', '!='],
]);
