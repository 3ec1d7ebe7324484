import type { Span } from '../../errors/criteria-error.js';
import { echo } from '../../errors/echo.js';
import { afterSpace, literalAt, nameAt } from '../advice/ahead.js';
import { intervalHint } from '../advice/field-before.js';
import { bare } from '../advice/spell.js';
import type { Cursor } from '../cursor.js';
import { isKeywordAhead } from '../keyword.js';
import type { NameNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';

/** The mistake of `a TO b` without brackets; the span is the `TO`. */
export function unbracketedRange(text: string, to: Span, field: NameNode, low: Span | undefined): SyntaxMistake {
  const written = low === undefined ? 'low' : text.slice(low.position, low.position + low.length);
  const high = literalAt(text, to.position + to.length);
  return mistake('UNSUPPORTED_SYNTAX', to, '"a TO b" needs brackets', {
    hint: `write ${echo(field.text)}:${echo(written)}..${high === undefined ? 'max' : bare(high.text)}`,
  });
}

/** The same mistake in `field a TO b`; none when the words behind the field are no range. */
export function rangeWithoutOperator({ text, at }: Cursor, field: NameNode): SyntaxMistake | undefined {
  const low = nameAt(text, at);
  const position = afterSpace(text, at + low.length);
  const to = { position, length: 'to'.length };
  if (low === '' || nameAt(text, position).toLowerCase() !== 'to') return undefined;
  return unbracketedRange(text, to, field, { position: at, length: low.length });
}

/**
 * Lets anything else pass than a `TO` between the values of a list or group.
 *
 * @param opener where the list or group begins
 * @throws {SyntaxMistake}
 */
export function refuseUnbracketedRange(cursor: Cursor, opener: number): void {
  if (!isKeywordAhead(cursor, 'to')) return;
  throw mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead('to'.length), '"a TO b" needs brackets', {
    hint: intervalHint(cursor.text, opener) ?? 'write [a TO b] or a..b',
  });
}
