import { echo } from '../../errors/echo.js';
import { isSpace, isWordCharacter } from '../characters.js';
import { CODE } from '../codes.js';
import type { Cursor } from '../cursor.js';
import type { NameNode, PredicateNode, ValueNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';

/** Functions of other filter languages, with what to write here. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['exists', 'write field exists'],
  ['contains', 'write field:"some words"'],
  ['startswith', 'write field:"some words"'],
  ['endswith', 'write field:"some words"'],
]);

/** The mistake of a name or word without an operator; the cursor stands behind it and behind white space. */
export function refuseLoneWord(cursor: Cursor, name: NameNode): SyntaxMistake {
  const before = cursor.predicates.at(-1);
  if (cursor.text.charCodeAt(name.position + name.length) === CODE.openingParenthesis) return calledAsFunction(name);
  if (name.text.toLowerCase() === 'to' && before !== undefined) return unbracketedRange(name, before);
  const word = wholeWord(cursor, name);
  const detail = `"${echo(word.text)}" stands alone`;
  return mistake('MISSING_OPERATOR', word, detail, {
    hint: hintFor(cursor.text, word, before),
    expected: ['operator'],
  });
}

function calledAsFunction(name: NameNode): SyntaxMistake {
  const hint = FUNCTIONS.get(name.text.toLowerCase());
  const span = { position: name.position, length: name.length + 1 };
  const detail = `${echo(name.text)}(…) is not a function here`;
  return mistake('UNSUPPORTED_SYNTAX', span, detail, hint === undefined ? {} : { hint });
}

function unbracketedRange(name: NameNode, before: PredicateNode): SyntaxMistake {
  const value = scalarOf(before);
  const low = value === undefined ? 'low' : echo(value.text);
  return mistake('UNSUPPORTED_SYNTAX', name, '"a TO b" is not supported', {
    hint: `write ${before.field.text}:${low}..max`,
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
  const joined = text.slice(value.position, word.position + word.length);
  return `quote values that contain spaces: ${before.field.text}${before.operator.text}"${echo(joined)}"`;
}

/** Whether only white space lies between a value and a word. */
function follows(text: string, value: ValueNode, word: NameNode): boolean {
  for (let at = value.position + value.length; at < word.position; at++) {
    if (!isSpace(text.charCodeAt(at))) return false;
  }
  return true;
}

function scalarOf(predicate: PredicateNode): ValueNode | undefined {
  if (predicate.kind === 'compare') return predicate.operand;
  return predicate.kind === 'equals' && predicate.operand.kind === 'scalar' ? predicate.operand.value : undefined;
}
