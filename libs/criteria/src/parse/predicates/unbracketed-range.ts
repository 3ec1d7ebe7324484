import type { Span } from '../../errors/criteria-error.js';
import { echo } from '../../errors/echo.js';
import type { Cursor } from '../cursor.js';
import { keywordAhead } from '../keyword.js';
import type { NameNode, ValueNode } from '../nodes.js';
import { mistake, type SyntaxMistake } from '../syntax-mistake.js';
import { valueAt } from './foreign-rewrites.js';

/** The mistake of `a TO b` without brackets; the span is the `TO`. */
export function unbracketedRange(text: string, to: Span, field: NameNode, low: ValueNode | undefined): SyntaxMistake {
  const written = low === undefined ? 'low' : text.slice(low.position, low.position + low.length);
  const high = valueAt(text, to.position + to.length);
  return mistake('UNSUPPORTED_SYNTAX', to, '"a TO b" needs brackets', {
    hint: `write ${echo(field.text)}:${echo(written)}..${high === '' ? 'max' : echo(high)}`,
  });
}

/**
 * Lets anything else pass than a `TO` between the values of a list or group.
 *
 * @throws {SyntaxMistake}
 */
export function refuseUnbracketedRange(cursor: Cursor): void {
  if (keywordAhead(cursor) !== 'to') return;
  throw mistake('UNSUPPORTED_SYNTAX', cursor.spanAhead('to'.length), '"a TO b" needs brackets', {
    hint: 'write [a TO b] or a..b',
  });
}
