import type { CheckedNode } from '../check/nodes.js';
import { printPattern, printScalar, printString } from './literals.js';
import { printRange } from './range.js';

/**
 * The canonical form: one spelling for all spellings of the same tree (not for all that select the same: `x` and
 * `* and x` keep apart). It reads back to the same query, but may be longer and nested deeper than its text.
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

/** Put together piece by piece: a list to be joined takes a third longer. */
function printTerms(terms: readonly CheckedNode[], connector: string): string {
  let printed = '';
  for (const term of terms) printed += printed === '' ? printTerm(term) : connector + printTerm(term);
  return printed;
}

/** Whatever is joined by a connector stands in parentheses within anything else, so precedence is never needed. */
function printTerm(node: CheckedNode): string {
  return node.kind === 'and' || node.kind === 'or' ? `(${printCriteria(node)})` : printCriteria(node);
}
