import { echo } from '../../errors/echo.js';
import type { Cursor } from '../cursor.js';
import { afterSpace, listAt, literalAt, opensCondition } from './ahead.js';
import { scalarOf } from './scalar.js';

/** How far back a field and its operator are looked for. */
const REACH = 120;
const EQUALITY = /([\p{L}\p{N}_.-]{1,80}\s{0,9}(?::=?|==?|\s(?:eq)\s))\s{0,9}(\(\s{0,9})?$/iu;
const LIST = /([\p{L}\p{N}_.-]{1,80})\s{1,9}in\s{0,9}$/iu;

/**
 * What to write for a negation before a value, as in `ticker:not BCT`; nothing when no value follows.
 *
 * @param from where the negation stands
 * @param length how long it is
 */
export function negatedValueHint(text: string, from: number, length: number): string | undefined {
  const before = EQUALITY.exec(text.slice(Math.max(0, from - REACH), from));
  const value = valueBehind(text, from + length);
  if (before === null || value === undefined) return undefined;
  const [, equality = '', parenthesis] = before;
  return parenthesis === undefined ? `write not ${echo(equality)}${value}` : `write not ${value}`;
}

function valueBehind(text: string, at: number): string | undefined {
  const list = listAt(text, at);
  if (list !== '') return `(${echo(list)})`;
  if (opensCondition(text, at)) return undefined;
  const value = literalAt(text, at);
  return value && echo(text.slice(value.position, value.position + value.length));
}

/** What to write for `rating in [3 TO 5]`; nothing when no field stands before the bracket. */
export function intervalHint(text: string, opener: number): string | undefined {
  const field = LIST.exec(text.slice(Math.max(0, opener - REACH), opener))?.[1];
  const closer = text.indexOf(']', opener);
  if (field === undefined || text.charAt(opener) !== '[' || closer < 0) return undefined;
  return `write ${echo(field)}:${echo(text.slice(opener, closer + 1))}`;
}

/** What to write for `rating > 3 and < 5` or `3 < rating < 5`, where the field is not named again. */
export function comparisonHint({ text, at, predicates, fields }: Cursor): string | undefined {
  const before = predicates.at(-1);
  const behind = before && fields?.find(before.field) === undefined ? scalarOf(before)?.text : undefined;
  const field = fields?.find(behind ?? '')?.name ?? before?.field;
  const sign = /^[<>]=?/.exec(text.slice(at, at + 2))?.[0];
  if (field === undefined || sign === undefined) return undefined;
  const value = literalAt(text, afterSpace(text, at + sign.length));
  return value && `write ${echo(field)} ${sign} ${echo(text.slice(value.position, value.position + value.length))}`;
}
