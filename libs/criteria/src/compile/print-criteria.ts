import type { Bounds, CheckedNode, Scalar } from '../check/typed-tree.js';
import type { CriteriaField } from '../fields.js';
import { CODE } from '../text/characters.js';

const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['*', '\\*'],
  ['?', '\\?'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
]);

/**
 * Returns the canonical form: one spelling for all spellings of the same tree (but not for all that select the same:
 * `x` and `* and x` differ). It reads back to the same query, but may be longer and nested deeper than its text.
 */
export function printCriteria(node: CheckedNode): string {
  switch (node.kind) {
    case 'everything':
      return '*';
    case 'and':
    case 'or':
      return printTerms(node.terms, ` ${node.kind} `);
    case 'not':
      return node.term.kind === 'exists' ? `${node.term.field.name} is null` : `not ${printTerm(node.term)}`;
    case 'equal':
      return `${node.field.name} = ${printScalar(node.value)}`;
    case 'words':
      return `${node.field.name}:${printString(node.words)}`;
    case 'pattern':
      return node.on === 'word'
        ? `${node.field.name}:${node.pattern}`
        : `${node.field.name} like ${printPattern(node.pattern)}`;
    case 'range':
      return printRange(node.field, node.bounds);
    case 'exists':
      return `${node.field.name} exists`;
  }
}

/** Concatenated, because joining a list takes a third longer. */
function printTerms(terms: readonly CheckedNode[], connector: string): string {
  let printed = '';
  for (const term of terms) printed += printed === '' ? printTerm(term) : connector + printTerm(term);
  return printed;
}

/** Joined terms are in parentheses inside any other term, so precedence is never needed. */
function printTerm(node: CheckedNode): string {
  return node.kind === 'and' || node.kind === 'or' ? `(${printCriteria(node)})` : printCriteria(node);
}

/**
 * One bound is printed as a comparison, two as an interval: two comparisons could be matched by two different values of
 * one field. A brace excludes its bound.
 */
function printRange(field: CriteriaField, { gt, gte, lt, lte }: Bounds): string {
  const spell = field.type === 'date' ? timestamp : String;
  const low = gte ?? gt;
  const high = lte ?? lt;
  if (low === undefined) return `${field.name} ${lte === undefined ? '<' : '<='} ${spell(high ?? 0)}`;
  if (high === undefined) return `${field.name} ${gte === undefined ? '>' : '>='} ${spell(low)}`;
  const opener = gte === undefined ? '{' : '[';
  const closer = lte === undefined ? '}' : ']';
  return `${field.name}:${opener}${spell(low)} TO ${spell(high)}${closer}`;
}

function timestamp(time: number): string {
  return new Date(time).toISOString();
}

/** Prints a text in quotes, so that it reads back unchanged; `*` and `?` are escaped. */
export function printString(text: string): string {
  if (!needsEscape(text)) return `"${text}"`;
  let printed = '"';
  for (const unit of text.split('')) printed += escaped(unit);
  return `${printed}"`;
}

/**
 * Returns whether any character is printed differently. That is rare, and checking is cheaper than splitting the text.
 */
function needsEscape(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < CODE.space || code === CODE.doubleQuote || code === CODE.backslash) return true;
    if (code === CODE.star || code === CODE.question) return true;
  }
  return false;
}

/** Prints a pattern in quotes, as `like` reads it: its escapes and wildcards stay unchanged. */
function printPattern(pattern: string): string {
  let printed = '"';
  for (const unit of pattern.split('')) {
    const isSyntax = unit === '\\' || unit === '*' || unit === '?';
    printed += isSyntax ? unit : escaped(unit);
  }
  return `${printed}"`;
}

/** Prints a value of any type except date. */
function printScalar(value: Scalar): string {
  return typeof value === 'string' ? printString(value) : String(value);
}

function escaped(unit: string): string {
  const named = NAMED_ESCAPES.get(unit);
  if (named !== undefined || unit >= ' ') return named ?? unit;
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
