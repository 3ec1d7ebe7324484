import type { DescribedField, DescribedKind } from '@carbon/client';
import { type Token, tokensOf } from './criteria-tokens.js';

/** A piece of text that may follow at the caret. */
export interface Offered {
  readonly label: string;
  /** What is inserted. */
  readonly apply: string;
  readonly kind: 'field' | 'operator' | 'value' | 'keyword';
  /** One short remark. */
  readonly detail?: string;
}

/** What may be written at the caret, instead of the text from `from` on. */
export interface Completions {
  readonly from: number;
  readonly offered: readonly Offered[];
}

/** Completes criteria at a caret. Here from the schema; a route of the API may take its place. */
export type Complete = (text: string, caret: number) => Promise<Completions>;

/** What is expected after some tokens. */
interface Expected {
  readonly what: 'field' | 'operator' | 'value' | 'list' | 'joint';
  readonly field: DescribedField | undefined;
  readonly isBetween: boolean;
}

const START: Expected = { what: 'field', field: undefined, isBetween: false };

/** Completes from the fields, operators and commonest values of the schema. */
export function completeFromSchema({ fields }: Pick<DescribedKind, 'fields'>): Complete {
  const byName = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
  return async (text, caret) => {
    const before = text.slice(0, caret);
    const tokens = tokensOf(before);
    const last = tokens.at(-1);
    const isOpen = last !== undefined && last.kind !== 'sign' && last.to === caret && !/.["']$/.test(last.text);
    const typed = isOpen ? last : undefined;
    const expected = (isOpen ? tokens.slice(0, -1) : tokens).reduce(
      (state, token) => next(state, token, byName),
      START,
    );
    return { from: typed?.from ?? caret, offered: offeredFor(expected, fields) };
  };
}

function next(state: Expected, token: Token, byName: ReadonlyMap<string, DescribedField>): Expected {
  const word = token.text.toLowerCase();
  switch (state.what) {
    case 'field':
      if (word === 'not' || word === '(') return state;
      return { what: 'operator', field: byName.get(word), isBetween: false };
    case 'operator':
      if (word === 'in') return { ...state, what: 'list' };
      if (['exists', 'missing', 'null'].includes(word)) return { ...state, what: 'joint' };
      if (word === 'between') return { ...state, what: 'value', isBetween: true };
      return token.kind === 'sign' || word === 'like' ? { ...state, what: 'value' } : state;
    case 'value':
      if (word === '(') return { ...state, what: 'list' };
      return token.kind === 'sign' ? state : { ...state, what: 'joint' };
    case 'list':
      return word === ')' ? { ...state, what: 'joint' } : state;
    case 'joint':
      if (word === 'and' && state.isBetween) return { ...state, what: 'value', isBetween: false };
      return word === 'and' || word === 'or' ? START : state;
  }
}

function offeredFor({ what, field, isBetween }: Expected, fields: readonly DescribedField[]): readonly Offered[] {
  switch (what) {
    case 'field':
      return [...fields.map(fieldOffered), keyword('not')];
    case 'operator':
      return (field?.operators ?? []).filter((operator) => operator !== '..').map(operatorOffered);
    case 'value':
    case 'list':
      return (field?.values ?? []).map(({ value, count }) => ({
        label: String(value),
        apply: what === 'list' ? quoted(String(value)) : `${quoted(String(value))} `,
        kind: 'value',
        detail: `${count}`,
      }));
    case 'joint':
      return isBetween ? [keyword('and')] : [keyword('and'), keyword('or')];
  }
}

function fieldOffered({ name, type, multi }: DescribedField): Offered {
  return { label: name, apply: `${name} `, kind: 'field', detail: multi ? `${type}s` : type };
}

function operatorOffered(operator: string): Offered {
  return { label: operator, apply: operator === 'in' ? 'in (' : `${operator} `, kind: 'operator' };
}

function keyword(word: string): Offered {
  return { label: word, apply: `${word} `, kind: 'keyword' };
}

const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'like', 'between', 'exists', 'is', 'null']);

/** Quotes a value unless it is a plain word or number. */
export function quoted(value: string): string {
  const isPlain = /^(?:[\p{L}][\p{L}\p{N}_-]*|\d+(?:\.\d+)?)$/u.test(value) && !KEYWORDS.has(value.toLowerCase());
  return isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
