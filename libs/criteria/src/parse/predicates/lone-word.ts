import { echo } from '../../errors/echo.js';
import { isSpace, isWordCharacter } from '../characters.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateNode, ValueNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';
import { foreignCall } from './foreign-call.js';
import { foreignOperator } from './foreign-word.js';
import { rangeWithoutOperator, unbracketedRange } from './unbracketed-range.js';

/** The mistake of a name or word without an operator; the cursor stands behind it and behind white space. */
export function refuseLoneWord(cursor: Cursor, name: NameNode): SyntaxMistake {
  const before = cursor.predicates.at(-1);
  if (before !== undefined && name.text.toLowerCase() === 'to') {
    return unbracketedRange(cursor.text, name, before.field, scalarOf(before));
  }
  const foreign = foreignCall(cursor, name) ?? foreignOperator(cursor, name) ?? rangeWithoutOperator(cursor, name);
  if (foreign !== undefined) return foreign;
  const word = wholeWord(cursor, name);
  const detail = `"${echo(word.text)}" stands alone`;
  return mistake('MISSING_OPERATOR', word, detail, {
    hint: hintFor(cursor.text, word, before),
    expected: ['operator'],
  });
}

/** The scanned name with what a value could hold beyond it, so that `100%` is reported whole. */
function wholeWord(cursor: Cursor, name: NameNode): NameNode {
  let end = name.position + name.length;
  while (isWordCharacter(cursor.text.charCodeAt(end))) end++;
  return { text: cursor.text.slice(name.position, end), position: name.position, length: end - name.position };
}

function hintFor(text: string, word: NameNode, before: PredicateNode | undefined): string {
  const value = before && scalarOf(before);
  if (before === undefined || value === undefined || value.quoted || !follows(text, value, word)) {
    return `use the fullTextSearch parameter for free text, or write name:${echo(word.text)}`;
  }
  const start = text.slice(before.field.position, value.position);
  const joined = text.slice(value.position, word.position + word.length);
  return `quote values that contain spaces: ${echo(start)}"${echo(joined)}"`;
}

/** Whether only white space lies between a value and a word. */
function follows(text: string, value: ValueNode, word: NameNode): boolean {
  for (let at = value.position + value.length; at < word.position; at++) {
    if (!isSpace(text.charCodeAt(at))) return false;
  }
  return true;
}

/** The value a predicate compares with, when it is a single one. */
export function scalarOf(predicate: PredicateNode): ValueNode | undefined {
  if (predicate.kind === 'compare' || predicate.kind === 'like') return predicate.operand;
  return predicate.kind === 'equals' && predicate.operand.kind === 'scalar' ? predicate.operand.value : undefined;
}
