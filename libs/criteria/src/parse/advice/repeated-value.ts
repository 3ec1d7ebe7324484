import type { Span } from '../../errors/criteria-error.js';
import { echo } from '../../errors/echo.js';
import type { CriteriaFields } from '../../fields.js';
import type { Cursor } from '../cursor.js';
import type { PredicateNode } from '../nodes.js';
import { literalAt, opensCondition, phraseEnd } from './ahead.js';
import { quoted } from './spell.js';

/** What may join two values: a connector, perhaps with a negation. */
const JOINT = /^(and|or|&&|\|\|)(\s+not|\s*[!-])?$/i;
const NEXT_JOINT = /\s{0,9}(?:\b(?:and|or)\s{1,9}(?:not\s{1,9})?|(?:&&|\|\|)\s{0,9})/iy;
const MOST_VALUES = 16;
const DIFFERS: ReadonlySet<string> = new Set(['!=', '<>', ':!=', 'ne']);

interface Values {
  /** The values with what joins them, as they may stand in a group. */
  readonly joined: string;
  readonly list: readonly string[];
}

/**
 * `ticker = BCT or NCT`: how to write a value that stands behind a connector without its field. Nothing when no
 * condition stands before the connector.
 */
export function repeatedValue({ text, predicates, fields }: Cursor, value: Span): string | undefined {
  const before = predicates.at(-1);
  if (before === undefined) return undefined;
  const end = before.position + before.length;
  const joint = text.slice(end, value.position).trim();
  if (!JOINT.test(joint)) return undefined;
  const values = valuesFrom(text, value.position, `${joint.replace(/[!-]$/, ' not').replace(/\s+/g, ' ')} `, fields);
  return `write ${rewritten(text, before, values, fields)}`;
}

function rewritten(text: string, before: PredicateNode, values: Values, fields: CriteriaFields | undefined): string {
  const { field, operator } = before;
  const operand = text.slice(before.operandAt, before.position + before.length);
  const name = echo(field);
  if (before.kind === 'compare' || before.kind === 'like') return `${name} ${operator} ${values.list[0] ?? ''}`;
  if (before.kind === 'in') return `${name} ${operator} (${echo(operand.slice(1, -1))}, ${values.list.join(', ')})`;
  if (before.kind === 'exists') return `${name}:(*${values.joined})`;
  if (DIFFERS.has(operator.toLowerCase())) return `${name} not in (${echo(operand)}, ${values.list.join(', ')})`;
  const isWhole = before.form === 'whole' && fields?.find(field)?.type === 'text';
  return `${name}${isWhole ? ' = ' : ':'}(${echo(operand)}${values.joined})`;
}

/** The value and those that are joined to it, up to the next condition. */
function valuesFrom(text: string, from: number, joint: string, fields: CriteriaFields | undefined): Values {
  let joined = ` ${joint}`;
  const list: string[] = [];
  for (let at = from; list.length < MOST_VALUES; at = NEXT_JOINT.lastIndex) {
    const value = valueAt(text, at);
    if (value === undefined) break;
    list.push(value.written);
    joined += value.written;
    NEXT_JOINT.lastIndex = value.end;
    const next = NEXT_JOINT.exec(text)?.[0];
    if (next === undefined || opensCondition(text, NEXT_JOINT.lastIndex)) break;
    const following = literalAt(text, NEXT_JOINT.lastIndex);
    if (following === undefined || fields?.find(following.text) !== undefined) break;
    joined += ` ${next.trim()} `;
  }
  return { joined: joined.replace(/ (and|or|&&|\|\|)( not)? $/i, ''), list };
}

/** One value, with those words behind it that belong to it. */
function valueAt(text: string, from: number): { readonly written: string; readonly end: number } | undefined {
  const value = literalAt(text, from);
  if (value === undefined) return undefined;
  const end = value.position + value.length;
  const last = value.quoted ? end : phraseEnd(text, value.position);
  if (last <= end) return { written: echo(text.slice(value.position, end)), end };
  return { written: quoted(text.slice(value.position, last)), end: last };
}
