import type { EqualityForm, Relation } from '../nodes.js';

/** What an operator does, whatever its spelling. */
export type Operation =
  | { readonly kind: 'equals'; readonly form: EqualityForm; readonly negated: boolean }
  | { readonly kind: 'compare'; readonly relation: Relation }
  | { readonly kind: 'in'; readonly negated: boolean }
  | { readonly kind: 'exists'; readonly negated: boolean }
  | { readonly kind: 'unsupported'; readonly hint: string };

const equals = (form: EqualityForm): Operation => ({ kind: 'equals', form, negated: false });
const differs: Operation = { kind: 'equals', form: 'whole', negated: true };
const compare = (relation: Relation): Operation => ({ kind: 'compare', relation });
const unsupported = (hint: string): Operation => ({ kind: 'unsupported', hint });

/** Operators made of signs; the longest that fits is taken. */
export const SIGN_OPERATORS: ReadonlyMap<string, Operation> = new Map([
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
]);

/** The longest entry of {@link SIGN_OPERATORS}. */
export const LONGEST_SIGN = 3;

/** Operators made of letters, recognised only after a field. A later construct is read once its row says how. */
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
  ['exists', { kind: 'exists', negated: false }],
  ['like', unsupported('use fullTextSearch to find words anywhere')],
  ['between', unsupported('write field:low..high')],
  ['is', unsupported('write field exists or field not exists')],
]);

/** Operators that may follow `not`. */
export const NEGATED_OPERATORS: ReadonlyMap<string, Operation> = new Map([
  ['in', { kind: 'in', negated: true }],
  ['exists', { kind: 'exists', negated: true }],
  ['like', unsupported('use fullTextSearch to find words anywhere')],
  ['between', unsupported('write not field:low..high')],
]);

/** Operators of other languages, with what to write here. */
export const FOREIGN_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=gt=', '>'],
  ['=ge=', '>='],
  ['=lt=', '<'],
  ['=le=', '<='],
  ['=in=', 'in (…)'],
  ['=out=', 'not in (…)'],
  ['=>', '>='],
  ['=<', '<='],
]);
