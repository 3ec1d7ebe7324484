import { echo } from '../../errors/echo.js';
import { literalAt } from '../advice/ahead.js';
import { bare } from '../advice/spell.js';
import type { Cursor } from '../cursor.js';
import { afterSpaceAhead, keywordAhead } from '../keyword.js';
import type { NameNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { unexpected } from '../unexpected.js';

/** What other languages say for "has no value". */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['empty', 'missing', 'none', 'nil', 'blank', 'unset']);

/** How long `is null` or `is not null` ahead is, and which of them it is; nothing is passed. */
export interface NullTest {
  readonly length: number;
  readonly isNegated: boolean;
}

/** Reads the words after a field from `is` on. */
export function nullTestAhead(cursor: Cursor, field: NameNode): NullTest {
  const second = afterSpaceAhead(cursor, 'is'.length);
  const isNegated = keywordAhead(cursor, second) === 'not';
  const last = isNegated ? afterSpaceAhead(cursor, second + 'not'.length) : second;
  if (keywordAhead(cursor, last) === 'null') return { length: last + 'null'.length, isNegated };
  const start = cursor.at;
  cursor.at += last;
  throw noNull(cursor, start, field, isNegated);
}

function noNull(cursor: Cursor, start: number, field: NameNode, isNegated: boolean): Error {
  const name = echo(field.text);
  if (cursor.atEnd) {
    const advice = { expected: ['null'], hint: `write ${name} is null or ${name} is not null` };
    return mistake('UNEXPECTED_END', cursor.spanAhead(0), '"null" is missing after "is"', advice);
  }
  const word = keywordAhead(cursor);
  if (EMPTY_WORDS.has(word)) {
    const hint = `write ${name} is ${isNegated ? 'not ' : ''}null`;
    const span = { position: start, length: cursor.at + word.length - start };
    return mistake('UNSUPPORTED_SYNTAX', span, `"is ${word}" is not supported`, { hint });
  }
  if (word === 'not') return unexpected(cursor, ['null'], `write ${name} is null or ${name} is not null`);
  if (word === 'exists') return unexpected(cursor, ['null'], `write ${name} is ${isNegated ? '' : 'not '}null`);
  const value = bare(literalAt(cursor.text, cursor.at)?.text ?? 'value');
  return unexpected(cursor, ['null'], `write ${name} ${isNegated ? '!=' : '='} ${value}`);
}
