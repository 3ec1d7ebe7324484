import { echo } from '../../errors/echo.js';
import { CODE } from '../../text/characters.js';
import { afterSpace, literalAt, nameAt } from '../advice/ahead.js';
import type { Cursor } from '../cursor.js';
import type { NameNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';
import { type Rewrite, rewriteOf } from './foreign-rewrites.js';

/**
 * The mistake of calling a function, as in `contains(name, "x")`; none when the parenthesis ahead opens a term beside
 * a lone word, or a list beside a field.
 */
export function foreignCall(cursor: Cursor, name: NameNode): SyntaxMistake | undefined {
  if (cursor.code() !== CODE.openingParenthesis) return undefined;
  const rewrite = rewriteOf(name.text);
  if (rewrite === undefined && cursor.at > name.position + name.length) return undefined;
  const span = { position: name.position, length: cursor.at + 1 - name.position };
  const detail = `${echo(name.text)}(…) is not a function here`;
  return mistake('UNSUPPORTED_SYNTAX', span, detail, rewrite === undefined ? {} : { hint: hintFor(cursor, rewrite) });
}

function hintFor({ text, at, fields }: Cursor, rewrite: Rewrite): string {
  const start = afterSpace(text, at + 1);
  const name = nameAt(text, start);
  const comma = afterSpace(text, start + name.length);
  const value = text.charCodeAt(comma) === CODE.comma ? literalAt(text, comma + 1)?.text : undefined;
  return rewrite({ name: echo(name) || 'field', field: fields?.find(name), value, list: '' });
}
