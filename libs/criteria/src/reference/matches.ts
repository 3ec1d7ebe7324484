import type { Bounds, CheckedNode, CheckedPredicate, Scalar } from '../check/nodes.js';
import { fold, wordsOf } from './fold.js';
import type { GoldenDocument } from './golden.js';

const LONGEST_WHOLE = 1024;

/** Whether a document meets a condition: the meaning of the language, said without an index. For tests only. */
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

/** A field's values; none when it is absent, null or an empty list. */
function valuesOf(document: GoldenDocument, name: string): readonly unknown[] {
  return [document[name]].flat().filter((value) => value !== undefined && value !== null);
}

function meets(node: CheckedPredicate, value: unknown): boolean {
  switch (node.kind) {
    case 'exists':
      return true;
    case 'equal':
      return isKeptWhole(value) && isSame(node.value, value);
    case 'words':
      return standsIn(wordsOf(node.words), wordsOf(String(value)));
    case 'pattern': {
      const texts = node.on === 'word' ? wordsOf(String(value)) : [fold(String(value))];
      return isKeptWhole(value) && texts.some((text) => hasForm(fold(node.pattern), text));
    }
    case 'range':
      return isWithin(node.bounds, node.field.type === 'date' ? Date.parse(String(value)) : Number(value));
  }
}

/** The index leaves longer values out of the part that whole values are compared with. */
function isKeptWhole(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= LONGEST_WHOLE;
}

function isSame(wanted: Scalar, value: unknown): boolean {
  return typeof wanted === 'string' && typeof value === 'string' ? fold(wanted) === fold(value) : wanted === value;
}

/** Whether the words stand in the text next to each other, in their order. */
function standsIn(words: readonly string[], text: readonly string[]): boolean {
  if (words.length === 0) return false;
  return text.some((_, start) => words.every((word, index) => text[start + index] === word));
}

function isWithin({ gt, gte, lt, lte }: Bounds, value: number): boolean {
  if (gt !== undefined && !(value > gt)) return false;
  if (gte !== undefined && !(value >= gte)) return false;
  if (lt !== undefined && !(value < lt)) return false;
  return lte === undefined || value <= lte;
}

/** Whether a text has the form of a pattern: `*` is any text, `?` one character, a backslash makes the next literal. */
function hasForm(pattern: string, text: string): boolean {
  const source = pattern.replaceAll(/\\(.)|[*?]|[^\\*?]+/gsu, (piece, escaped?: string) => {
    if (piece === '*') return '.*';
    return piece === '?' ? '.' : (escaped ?? piece).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^(?:${source})$`, 'su').test(text);
}
