import { echo } from '../../errors/echo.js';
import { isWordCharacter } from '../../text/characters.js';
import { loneWordHint } from '../advice/lone-word.js';
import { scalarOf } from '../advice/scalar.js';
import type { Cursor } from '../cursor.js';
import type { NameNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';
import { foreignCall } from './foreign-call.js';
import { foreignOperator } from './foreign-word.js';
import { nameOf } from './head.js';
import { rangeWithoutOperator, unbracketedRange } from './unbracketed-range.js';

/** The mistake of a name or word without an operator; the cursor stands behind it and behind white space. */
export function refuseLoneWord(cursor: Cursor, name: NameNode): SyntaxMistake {
  const before = cursor.predicates.at(-1);
  if (before !== undefined && name.text.toLowerCase() === 'to') {
    return unbracketedRange(cursor.text, name, nameOf(before), scalarOf(before));
  }
  const foreign = foreignCall(cursor, name) ?? foreignOperator(cursor, name) ?? rangeWithoutOperator(cursor, name);
  if (foreign !== undefined) return foreign;
  const word = wholeWord(cursor, name);
  const hint = loneWordHint(cursor, word);
  return mistake('MISSING_OPERATOR', word, `"${echo(word.text)}" stands alone`, { hint, expected: ['operator'] });
}

/** The scanned name with what a value could hold beyond it, so that `100%` is reported whole. */
function wholeWord(cursor: Cursor, name: NameNode): NameNode {
  let end = name.position + name.length;
  while (isWordCharacter(cursor.text.charCodeAt(end))) end++;
  return { text: cursor.text.slice(name.position, end), position: name.position, length: end - name.position };
}
