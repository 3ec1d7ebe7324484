import type { CriteriaFields } from '../fields.js';
import type { PredicateNode, Span } from '../parse/syntax-tree.js';
import { isDigit, isForeignComma, isSpace } from '../text/characters.js';
import type { Hint, Proposal } from './criteria-error.js';
import { MIRRORED } from './field-names.js';
import { shownOnly, worded, writeCondition, writePiece } from './proposals.js';
import { echo } from './snippet.js';
import type { FailedText } from './source.js';
import {
  afterSpace,
  listAt,
  literalAt,
  opensCondition,
  operatorOf,
  phraseEnd,
  quote,
  scalarOf,
  sourceOf,
} from './source.js';

const MAX_VALUES = 16;
const QUOTED = /"[^"]*"|'[^']*'/g;
/** A connector between two values, optionally with a negation. */
const JOINT = /^(and|or|&&|\|\|)(\s+not|\s*[!-])?$/i;
const NEXT_JOINT = /\s{0,9}(?:\b(?:and|or)\s{1,9}(?:not\s{1,9})?|(?:&&|\|\|)\s{0,9})/iy;
const DIFFERS = /^(!=|<>|:!=|ne)$/i;
/** The hint where a second comparison names no field. */
export const RELATION_HINT = 'a comparison repeats the field: field>=a and field<=b';
const DECIMAL = 'for a decimal use a dot';
/** The maximum distance in characters to the field and its operator. */
const MAX_DISTANCE = 120;
const EQUALITY = /([\p{L}\p{N}_.-]{1,80}\s{0,9}(?::=?|==?|\s(?:eq)\s))\s{0,9}(\(\s{0,9})?$/iu;

/** A negation or a connector that may bind tighter than the one between two values. */
const NEGATION_BEFORE = /(?:\bnot\s{1,9}|[-!]\s{0,9})$/i;
const AND_BEFORE = /(?:\band\s{1,9}|&&\s{0,9})$/i;
const AND_BEHIND = /^\s{0,9}(?:and\b|&&)/i;
const JOINT_REACH = 20;
const ONE_VALUE = 'a field with one value never has two: join them with or';
const SINGLE = 'a condition names its field: and not field:value';
const PRECEDENCE = 'name the field again, with parentheses around what belongs together';

interface Values {
  /** Where the last value ends. */
  readonly end: number;
  /** The values with their connectors, as a group may contain them. */
  readonly joined: string;
  readonly list: readonly string[];
}

/**
 * Returns the hint for a value that follows a connector without its field, as in `ticker = BCT or NCT`; undefined if no
 * condition precedes the connector.
 */
export function repeatedValue({ text, before, fields }: FailedText, value: Span): Hint | undefined {
  if (before === undefined) return undefined;
  const joint = text.slice(before.position + before.length, value.position).trim();
  if (!JOINT.test(joint)) return undefined;
  const values = joinedValues(text, value.position, `${joint.replace(/[!-]$/, ' not').replace(/\s+/g, ' ')} `, fields);
  if (isUncertain(text, before, values)) return PRECEDENCE;
  const field = fields.find(before.field);
  // A single value is never another one too: the author means another field.
  const isSingle = field !== undefined && !field.multi && field.type !== 'text' && before.kind === 'equals';
  const isDifferent = DIFFERS.test(operatorOf(text, before));
  if (isSingle && !isDifferent && /^(?:and|&&)/i.test(joint)) return /^(?:and|&&)$/i.test(joint) ? ONE_VALUE : SINGLE;
  const { position } = before;
  // The first of two comparisons stays; equalities become one condition.
  const range = before.kind === 'value' ? value : { position, length: values.end - position };
  const hint = { ...writeCondition(rewritten(text, before, values, fields)), range };
  // Not a value, but a condition: `B* = source`.
  return /[<>=]/.test(text.slice(value.position, values.end).replace(QUOTED, '')) ? shownOnly(hint) : hint;
}

/** `not a:1 or 2`, `a:1 or 2 and b:3`, `not a > 5 and < 10`: what belongs together is not known. */
function isUncertain(
  text: string,
  { position, kind }: PredicateNode,
  { end, joined }: Pick<Values, 'end' | 'joined'>,
): boolean {
  const head = text.slice(Math.max(0, position - JOINT_REACH), position);
  if (NEGATION_BEFORE.test(head)) return true;
  if (!/\bor\b|\|\|/i.test(joined)) return false;
  const continues = AND_BEHIND.test(text.slice(end, end + JOINT_REACH));
  return AND_BEFORE.test(head) || continues || (kind !== 'value' && opensCondition(text, end));
}

function rewritten(text: string, before: PredicateNode, { joined, list }: Values, fields: CriteriaFields): string {
  const operator = operatorOf(text, before);
  const operand = text.slice(before.operandAt, before.position + before.length);
  const name = echo(before.field);
  switch (before.kind) {
    case 'value':
      return `${name} ${operator} ${list[0] ?? ''}`;
    case 'in':
      return `${name} ${operator} (${echo(operand.slice(1, -1))}, ${list.join(', ')})`;
    case 'exists':
      return `${name}:(*${joined})`;
    default: {
      if (DIFFERS.test(operator)) return `${name} not in (${echo(operand)}, ${list.join(', ')})`;
      const isWhole = before.form === 'whole' && fields.find(before.field)?.type === 'text';
      return `${name}${isWhole ? ' = ' : ':'}(${echo(operand)}${joined})`;
    }
  }
}

/** Returns the value and the values that are joined to it, up to the next condition. */
function joinedValues(text: string, from: number, joint: string, fields: CriteriaFields): Values {
  let joined = ` ${joint}`;
  const list: string[] = [];
  let end = from;
  for (let at = from; list.length < MAX_VALUES; at = NEXT_JOINT.lastIndex) {
    const value = valueAt(text, at);
    if (value === undefined) break;
    list.push(value.written);
    joined += value.written;
    end = value.end;
    NEXT_JOINT.lastIndex = value.end;
    const next = NEXT_JOINT.exec(text)?.[0];
    if (next === undefined || opensCondition(text, NEXT_JOINT.lastIndex)) break;
    const following = literalAt(text, NEXT_JOINT.lastIndex);
    if (following === undefined || fields.find(following.text) !== undefined) break;
    joined += ` ${next.trim()} `;
  }
  return { joined: joined.replace(/ (and|or|&&|\|\|)( not)? $/i, ''), list, end };
}

/** Returns one value, with the following words that belong to it. */
function valueAt(text: string, from: number): { readonly written: string; readonly end: number } | undefined {
  const value = literalAt(text, from);
  if (value === undefined) return undefined;
  const end = value.position + value.length;
  const last = value.quoted ? end : phraseEnd(text, value.position);
  if (last <= end) return { written: echo(sourceOf(text, value)), end };
  return { written: quote(text.slice(value.position, last)), end: last };
}

/** Returns the hint for a sign that stands for a connector: a word needs spaces around it. */
export function joint(word: string, text: string, at: number): Proposal {
  const [before, behind] = [at - 1, at + 1].map((place) => (isSpace(text.charCodeAt(place)) ? '' : ' '));
  const hint = `write ${word}${before || behind ? ', with spaces around it' : ''}`;
  return { hint, replacement: `${before}${word}${behind}`, of: 'piece' };
}

/** Returns the hint for a comma between terms: a list to some languages, an "or" to others, a decimal to some people. */
export function commaHint({ text, at, before, fields }: FailedText): Hint | undefined {
  if (/^\s{0,9}[<>]/.test(text.slice(at + 1))) return RELATION_HINT;
  if (opensCondition(text, at + 1)) {
    const isFiql = before !== undefined && operatorOf(text, before) === '==';
    return isFiql ? joint('or', text, at) : 'a comma joins no conditions: use or, or use and when both must hold';
  }
  const value = scalarOf(before);
  if (before === undefined || value === undefined) return undefined;
  const values = valuesBehindCommas(text, at);
  if (values.length === 0) return undefined;
  const isDecimal = isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
  if (before.kind !== 'equals') return isDecimal ? DECIMAL : 'join conditions with and or or, and name the field again';
  const all = [sourceOf(text, value), ...values].map(echo).join(', ');
  const sign = listSign(
    operatorOf(text, before),
    before.form === 'words' && fields.find(before.field)?.type === 'text',
  );
  const list = worded(writeCondition(`${echo(before.field)}${sign}(${all})`), 'for several values ');
  return isDecimal ? shownOnly(worded(list, '', `; ${DECIMAL}`)) : list;
}

/** A group searches for words of a text field; `in` compares whole values. */
function listSign(operator: string, asksWords: boolean): string {
  if (DIFFERS.test(operator)) return ' not in ';
  return asksWords ? ':' : ' in ';
}

function valuesBehindCommas(text: string, comma: number): readonly string[] {
  const values: string[] = [];
  for (let at = comma; isComma(text, at) && values.length < MAX_VALUES; ) {
    const value = opensCondition(text, at + 1) ? undefined : literalAt(text, at + 1);
    if (value === undefined || /^(and|or|not)$/i.test(value.text)) break;
    values.push(sourceOf(text, value));
    at = afterSpace(text, value.position + value.length);
  }
  return values;
}

function isComma(text: string, at: number): boolean {
  return text.charAt(at) === ',' || isForeignComma(text.charCodeAt(at));
}

/**
 * Returns the hint for a negation before a value, as in `ticker:not BCT`; undefined if no value follows.
 *
 * @param from the position of the negation
 * @param length the length of the negation
 */
export function negatedValueHint(text: string, from: number, length: number): Proposal | undefined {
  const before = EQUALITY.exec(text.slice(Math.max(0, from - MAX_DISTANCE), from));
  const value = valueBehind(text, from + length);
  if (before === null || value === undefined) return undefined;
  const [, equality = '', parenthesis] = before;
  if (parenthesis === undefined) return writeCondition(`not ${echo(equality)}${value}`);
  return { ...writePiece('not '), hint: `write not ${value}`, range: { position: from, length } };
}

function valueBehind(text: string, at: number): string | undefined {
  const list = listAt(text, at);
  if (list !== '') return `(${echo(list)})`;
  const value = opensCondition(text, at) ? undefined : literalAt(text, at);
  return value && echo(sourceOf(text, value));
}

/** Returns the hint for `rating > 3 and < 5` or `3 < rating < 5`, where the field is not named again. */
export function relationHint({ text, at, before, fields }: FailedText): Hint | undefined {
  const behind = before && fields.find(before.field) === undefined ? scalarOf(before)?.text : undefined;
  const field = fields.find(behind ?? '')?.name ?? before?.field;
  const sign = /^(?:<>|[<>]=?)/.exec(text.slice(at, at + 2))?.[0];
  // Of a field with several values, two comparisons may mean one value or two.
  if (field === undefined || sign === undefined || fields.find(field)?.multi) return undefined;
  const value = literalAt(text, afterSpace(text, at + sign.length));
  if (value === undefined) return undefined;
  const end = value.position + value.length;
  if (isComma(text, afterSpace(text, end))) return RELATION_HINT;
  const joined = before === undefined ? '' : text.slice(before.position + before.length, at);
  if (before !== undefined && isUncertain(text, before, { end, joined })) return PRECEDENCE;
  const upper = `${echo(field)} ${sign} ${echo(sourceOf(text, value))}`;
  const first = before && MIRRORED[operatorOf(text, before)];
  if (before === undefined || behind === undefined || first === undefined) return writeCondition(upper);
  const range = { position: before.position, length: end - before.position };
  return { ...writeCondition(`${echo(field)} ${first} ${echo(before.field)} and ${upper}`), range };
}
