import type { CriteriaFields } from '../fields.js';
import { write } from './repairs.js';

/**
 * Clauses with which other languages order, cut and shape a result; here parameters do. *offset* and *top* are words of
 * names too, so they need a number.
 */
const CLAUSE =
  /\$?\b(?:(order\s?by\b[\s:=]{0,9}|sort\s?by\b[\s:=]{0,9}|sort\s{0,9}[:=]{1,2})|((?:limit|top|take|fetch)[\s:=]{1,9}(?:first\s|next\s)?(?=\d))|(?:offset|skip|page)[\s:=]{1,9}(?=\d)|((?:select|fields)\s{0,9}[:=]{1,2}))/iy;
/** The names or the number behind a clause, up to the next one. */
const ARGUMENT = /^[^:=();&]*?(?=\s(?:limit|offset|where|from)\b|$|[:=();&])/i;
const MAX_ARGUMENT = 120;
/** The keys of an order: a name with its direction before or behind it. */
const KEY = /^([+-]?)([\w.]{1,40}?)(?:[\s-](asc|desc)(?:ending)?)?$/i;

/** Returns whether such a clause begins at a position. */
export function opensClause(text: string, position: number): boolean {
  CLAUSE.lastIndex = position;
  return CLAUSE.test(text);
}

/** Returns the hint for a clause of another language at a position that is not negative; undefined if none begins there. */
export function clauseHint(text: string, position: number, fields: CriteriaFields): string | undefined {
  CLAUSE.lastIndex = position;
  const [clause, order, limit, fieldList] = CLAUSE.exec(text) ?? [];
  if (clause === undefined) return undefined;
  const start = position + clause.length;
  const argument = ARGUMENT.exec(text.slice(start, start + MAX_ARGUMENT))?.[0].trim() ?? '';
  if (limit !== undefined) return `use the limit parameter: limit=${/^\d+/.exec(argument)?.[0]}`;
  if (order === undefined && fieldList === undefined) return 'use the cursor parameter for the next page';
  const parameter = order === undefined ? 'fields' : 'sort';
  const keys = argument.split(',').map((key) => keyOf(key.trim(), fields, parameter === 'sort'));
  return `use the ${parameter} parameter${keys.includes(undefined) ? '' : `: ${parameter}=${keys.join(',')}`}`;
}

function keyOf(text: string, fields: CriteriaFields, isOrder: boolean): string | undefined {
  const [, sign, name = '', direction = ''] = KEY.exec(text) ?? [];
  const field = fields.find(name);
  if (field === undefined || (isOrder && !field.sortable)) return undefined;
  return `${sign === '-' || direction.toLowerCase() === 'desc' ? '-' : ''}${field.name}`;
}

/** Returns the hint for `select … where …` and `$filter=…`: the condition itself. */
export function statementHint(text: string, fields: CriteriaFields): string | undefined {
  const opening = /^\s{0,9}(?:(?:select|from)\s[^'"]{0,200}?\swhere\s|where\s|\$?filter=)\s{0,9}/i.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const [rest = ''] = text.slice(opening.length).split(/\s(?:order\s+by|limit|offset|group\s+by)\s|;/i);
  const hint = 'leave it out: criteria are conditions alone';
  const rewrite = write(rest.trim(), fields);
  return rewrite === undefined ? hint : `${hint}; ${rewrite}`;
}

/** Returns the hint for a text that is still encoded as in a URL. */
export function encodedHint(text: string, fields: CriteriaFields): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(text)) return undefined;
  try {
    const rewrite = write(decodeURIComponent(text), fields);
    return rewrite && `the text is encoded twice; ${rewrite}`;
  } catch {
    return undefined;
  }
}
