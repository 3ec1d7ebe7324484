import type { CriteriaFields } from '../fields.js';
import { OPERATOR_WORDS } from '../operators.js';
import type { Hint } from './criteria-error.js';
import { worded } from './proposals.js';
import { write } from './repairs.js';

/**
 * Clauses with which other languages order, cut and shape a result; here parameters do. *offset* and *top* are words of
 * names too, so they need a number.
 */
const CLAUSE =
  /\$?\b(?:((?:order|sort)(?:ed)?\s?by\b[\s:=]{0,9}|sort\s{0,9}[:=]{1,2})|((?:limit|top|take|fetch)[\s:=]{1,9}(?:first\s|next\s)?(?=\d))|(?:offset|skip|page)[\s:=]{1,9}(?=\d)|((?:select|fields)\s{0,9}[:=]{1,2}))/iy;
/** The names or the number behind a clause, up to the next one. */
const ARGUMENT = /^[^:=();&<>!]*?(?=\s(?:limit|offset|where|from)\b|$|[:=();&<>!])/i;
/** The name of a condition behind an argument. */
const CONDITION_BEHIND = /(?:,|\band\b)?\s{0,9}[\w.]{1,40}\s{0,9}$/;
const MAX_ARGUMENT = 120;
/** The keys of an order: a name with its direction before or behind it. */
const KEY = /^([+-]?)([\w.]{1,40}?)(?:[\s-](asc|desc)(?:ending)?)?$/i;

/** Returns whether such a clause begins at a position. */
export function opensClause(text: string, position: number): boolean {
  CLAUSE.lastIndex = position;
  return CLAUSE.test(text);
}

/** Kusto's stage with names, behind its `|`. */
const PROJECT = /^\|\s{0,9}project\s{1,9}/i;
/** Kusto's `top 5 by price`: behind the number, the order. */
const TOP_BY = /^\d{1,9}\s{1,9}by\s{1,9}/i;

/** Returns the hint for a stage of Kusto at a `|`, or for an option of OData behind `&`; undefined for any other. */
export function stageHint(text: string, position: number, fields: CriteriaFields): string | undefined {
  const [opening = ''] = /^[|&]\s{0,9}/.exec(text.slice(position, position + MAX_ARGUMENT)) ?? [];
  if (opening === '') return undefined;
  const project = PROJECT.exec(text.slice(position, position + MAX_ARGUMENT))?.[0].length;
  if (project === undefined) return clauseHint(text, position + opening.length, fields);
  return namesHint('fields', argumentAt(text, position + project), fields);
}

/** Returns the hint for a clause of another language at a position that is not negative; undefined if none begins there. */
export function clauseHint(text: string, position: number, fields: CriteriaFields): string | undefined {
  CLAUSE.lastIndex = position;
  const [clause, order, limit, fieldList] = CLAUSE.exec(text) ?? [];
  if (clause === undefined) return undefined;
  const start = position + clause.length;
  const argument = argumentAt(text, start);
  if (limit !== undefined) {
    const by = TOP_BY.exec(argument)?.[0];
    const hint = `use the limit parameter: limit=${/^\d+/.exec(argument)?.[0]}`;
    return by === undefined ? hint : `${hint}; ${namesHint('sort', argument.slice(by.length), fields, 'desc')}`;
  }
  if (order === undefined && fieldList === undefined) return 'use the cursor parameter for the next page';
  return namesHint(order === undefined ? 'fields' : 'sort', argument, fields);
}

function argumentAt(text: string, start: number): string {
  const argument = ARGUMENT.exec(text.slice(start, start + MAX_ARGUMENT))?.[0] ?? '';
  const isCondition = /[:=<>!]/.test(text.charAt(start + argument.length)) && /[,\s]\S/.test(argument.trim());
  return (isCondition ? argument.replace(CONDITION_BEHIND, '') : argument).trim();
}

/** Returns the hint for the names of a clause. @param otherwise the direction of a name without one */
function namesHint(parameter: 'sort' | 'fields', argument: string, fields: CriteriaFields, otherwise = ''): string {
  const keys = argument.split(',').map((key) => keyOf(key.trim(), fields, parameter === 'sort', otherwise));
  return `use the ${parameter} parameter${keys.includes(undefined) ? '' : `: ${parameter}=${keys.join(',')}`}`;
}

function keyOf(text: string, fields: CriteriaFields, isOrder: boolean, otherwise: string): string | undefined {
  const [, sign, name = '', direction = otherwise] = KEY.exec(text) ?? [];
  const field = fields.find(name);
  if (field === undefined || (isOrder && !field.sortable)) return undefined;
  return `${sign === '-' || direction.toLowerCase() === 'desc' ? '-' : ''}${field.name}`;
}

const STATEMENT = /^\s{0,9}(?:(?:select|from)\s[^'"]{0,200}?\swhere\s|where\s)\s{0,9}/i;
/** The parameter itself, as other services name it, too. */
const PARAMETER = /^\s{0,9}[?$]?(?:criteria|filter|where|query|fq|q)\s{0,9}=\s{0,9}/i;

/** A URL up to the value of the parameter. */
const URL_START = /^\s{0,9}https?:\/\/[^\s?]{1,200}\?(?:[^\s#]{0,400}?&)?criteria=/i;

const MAX_CLAUSES = 3;
/** A sign of a condition in a clause. */
const CONDITION = new RegExp(`[:=<>]|\\b(?:and|or|not|is|${OPERATOR_WORDS.join('|')})\\b`, 'i');

/** Returns the hint for `select … where …`, `$filter=…` and a URL: the condition itself. */
export function statementHint(text: string, fields: CriteriaFields): Hint | undefined {
  const parameter = (PARAMETER.exec(text) ?? URL_START.exec(text))?.[0];
  const opening = parameter ?? STATEMENT.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const [value = '', ...tail] = text.slice(opening.length).split(/\s(?=(?:order\s+by|limit|offset|group\s+by)\s)|;/i);
  const clauses = tail.filter((one) => one.trim() !== '').map((one) => clauseHint(one, 0, fields));
  const rest = parameter === undefined ? value : (value.split(/&(?=\w{1,30}=)/)[0] ?? '');
  const hint = parameter?.includes('//')
    ? 'of a URL, only the value of its criteria parameter'
    : 'leave it out: criteria are conditions alone';
  const rewrite = write(rest.trim(), fields);
  // Neither a clause that no parameter replaces may be lost, nor a condition behind one.
  const isLost = clauses.includes(undefined) || clauses.length > MAX_CLAUSES || tail.some((one) => CONDITION.test(one));
  if (rewrite === undefined || isLost) return hint;
  return { ...worded(rewrite, `${hint}; `, clauses.map((clause) => `; ${clause}`).join('')), of: 'text' };
}

/** Returns the hint for a text that is still encoded as in a URL. */
export function encodedHint(text: string, fields: CriteriaFields): Hint | undefined {
  if (/&(?:amp|lt|gt|quot|#39);/.test(text)) return 'the text is escaped as in HTML: send it plain';
  // In a form, a `+` is a space.
  const isForm = /^\S*\+(?:and|or|not|in)\+\S*$/i.test(text);
  if (!isForm && !/%[0-9a-f]{2}/i.test(text)) return undefined;
  try {
    const rewrite = write(decodeURIComponent(isForm ? text.replaceAll('+', ' ') : text), fields);
    return rewrite && { ...worded(rewrite, `the text is encoded ${isForm ? 'as in a URL' : 'twice'}; `), of: 'text' };
  } catch {
    return undefined;
  }
}
