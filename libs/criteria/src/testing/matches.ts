import type { Bounds, CheckedNode, CheckedPredicate, Scalar } from '../check/typed-tree.js';
import { fold, wordsOf } from './fold.js';
import type { GoldenDocument } from './golden.js';
import { matchesWildcard } from './wildcard.js';

/** In UTF-16 code units; the index does not store longer texts for comparisons of whole values. */
export const MAX_WHOLE = 1024;

/** Returns whether a document matches a condition: the reference implementation, without an index. For tests only. */
export function matches(node: CheckedNode, document: GoldenDocument): boolean {
  switch (node.kind) {
    case 'everything':
      return true;
    case 'and':
      return node.terms.every((term) => matches(term, document));
    case 'or':
      return node.terms.some((term) => matches(term, document));
    case 'not':
      return !matches(node.term, document);
    default:
      return valuesOf(document, node.field.name).some((value) => meets(node, value));
  }
}

/** Returns a field's values; none when it is absent, null, an empty list or a list of nulls. */
function valuesOf(document: GoldenDocument, name: string): readonly unknown[] {
  return [document[name]].flat().filter((value) => value !== undefined && value !== null);
}

function meets(node: CheckedPredicate, value: unknown): boolean {
  switch (node.kind) {
    case 'exists':
      return true;
    case 'equal':
      return isKeptWhole(node, value) && isSame(node.value, value);
    case 'words':
      return includesPhrase(wordsOf(node.words), wordsOf(String(value)));
    case 'pattern':
      if (node.on === 'word') return wordsOf(String(value)).some((word) => matchesWildcard(node.pattern, word));
      return isKeptWhole(node, value) && matchesWildcard(node.pattern, String(value));
    case 'range':
      return isWithin(node.bounds, node.field.type === 'date' ? Date.parse(String(value)) : Number(value));
  }
}

function isKeptWhole({ field }: CheckedPredicate, value: unknown): boolean {
  return field.type !== 'text' || String(value).length <= MAX_WHOLE;
}

function isSame(expected: Scalar, value: unknown): boolean {
  return typeof expected === 'string' && typeof value === 'string'
    ? fold(expected) === fold(value)
    : expected === value;
}

/** Returns whether the words are adjacent in the text, in their order. */
function includesPhrase(words: readonly string[], text: readonly string[]): boolean {
  if (words.length === 0) return false;
  return text.some((_, start) => words.every((word, index) => text[start + index] === word));
}

function isWithin({ gt, gte, lt, lte }: Bounds, value: number): boolean {
  if (gt !== undefined && !(value > gt)) return false;
  if (gte !== undefined && !(value >= gte)) return false;
  if (lt !== undefined && !(value < lt)) return false;
  return lte === undefined || value <= lte;
}
