import type { Bounds, CheckedNode, Scalar } from '../check/typed-tree.js';
import type { CriteriaField } from '../fields.js';

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
  return `"${text.replace(/[^ -\uffff]|["\\*?]/g, escaped)}"`;
}

/** Prints a pattern in quotes, as `like` reads it: its escapes and wildcards stay unchanged. */
function printPattern(pattern: string): string {
  return `"${pattern.replace(/[^ -\uffff]|"/g, escaped)}"`;
}

/** Prints a value of any type except date. */
function printScalar(value: Scalar): string {
  return typeof value === 'string' ? printString(value) : String(value);
}

function escaped(unit: string): string {
  return NAMED_ESCAPES.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
