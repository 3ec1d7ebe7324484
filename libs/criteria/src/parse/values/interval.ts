import { echo } from '../../errors/echo.js';
import { CODE } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import { isKeywordAhead } from '../keyword.js';
import type { RangeNode, ValueNode } from '../nodes.js';
import { mistake } from '../syntax-mistake.js';
import { unexpected } from '../unexpected.js';
import { bounded, closed, isRangeSign } from './range.js';
import { readValue } from './value.js';

const CLOSERS = [']', '}'];
const SEPARATOR_LENGTH = 2;

/** `[a TO b]` or `[a..b]`; a brace instead of a bracket leaves its bound out, a `*` leaves its side open. */
export function readInterval(cursor: Cursor): RangeNode {
  const position = cursor.at;
  const opener = cursor.character();
  cursor.at++;
  const low = readBound(cursor, opener);
  const separator = passSeparator(cursor, position);
  const high = readBound(cursor, separator);
  const closer = cursor.code();
  if (closer !== CODE.closingBracket && closer !== CODE.closingBrace) throw unclosed(cursor, position);
  cursor.at++;
  return bounded({
    kind: 'range',
    form: 'interval',
    low: closed(low),
    high: closed(high),
    aboveLow: opener === '{' && closed(low) !== undefined,
    belowHigh: closer === CODE.closingBrace && closed(high) !== undefined,
    ...cursor.spanFrom(position),
  });
}

function readBound(cursor: Cursor, after: string): ValueNode {
  cursor.skipSpace();
  const bound = readValue(cursor, after);
  cursor.skipSpace();
  return bound;
}

function passSeparator(cursor: Cursor, position: number): string {
  const separator = isRangeSign(cursor) ? '..' : 'TO';
  if (separator === 'TO' && !isKeywordAhead(cursor, 'to')) throw noSeparator(cursor, position);
  cursor.at += SEPARATOR_LENGTH;
  return separator;
}

function noSeparator(cursor: Cursor, position: number): Error {
  if (cursor.code() === CODE.comma) return listInBrackets(cursor, position);
  if (cursor.atEnd) return unclosed(cursor, position);
  return unexpected(cursor, ['TO'], 'an interval is written [a TO b]');
}

/** `[a, b]` is a list to some and an interval to others. */
function listInBrackets(cursor: Cursor, position: number): Error {
  const closer = cursor.text.indexOf(']', cursor.at);
  const end = closer < 0 ? cursor.at + 1 : closer + 1;
  const items = cursor.text.slice(position + 1, closer < 0 ? cursor.at : closer).split(',');
  const [low = '', high = 'b', third] = items.map((item) => echo(item.trim()));
  const interval = third === undefined ? `[${low} TO ${high}] for all between, or ` : '';
  return mistake('UNSUPPORTED_SYNTAX', { position, length: end - position }, 'a list in brackets is not supported', {
    hint: `write ${interval}(${echo(items.map((item) => item.trim()).join(', '))}) for any of them`,
  });
}

function unclosed(cursor: Cursor, position: number): Error {
  if (!cursor.atEnd) return unexpected(cursor, CLOSERS, 'an interval is written [a TO b]; } leaves its bound out');
  const opener = cursor.text.charAt(position);
  return mistake('UNBALANCED_PAREN', { position, length: 1 }, `"${opener}" is never closed`, { expected: CLOSERS });
}
