import { echo } from '../../errors/echo.js';
import { CODE, isDigit, isForeignComma } from '../../text/characters.js';
import type { Cursor } from '../cursor.js';
import type { PredicateNode } from '../nodes.js';
import { afterSpace, literalAt, opensCondition } from './ahead.js';
import { scalarOf } from './scalar.js';

const MOST_VALUES = 16;
const DECIMAL = 'for a decimal use a dot';

/** What to write for a comma between terms: a list to some languages, an "or" to others, a decimal to some people. */
export function commaHint({ text, at, predicates, fields }: Cursor): string | undefined {
  const before = predicates.at(-1);
  if (opensCondition(text, at + 1)) return 'write or instead of the comma, or write and when both must hold';
  const value = before && scalarOf(before);
  if (before === undefined || value === undefined) return undefined;
  const values = valuesFrom(text, at);
  if (values.length === 0) return undefined;
  const first = text.slice(value.position, value.position + value.length);
  const isDecimal = isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
  if (before.kind !== 'equals') return isDecimal ? DECIMAL : 'write and or or, and the field again';
  const type = fields?.find(before.field)?.type;
  const list = `${echo(before.field)}${listSign(before, type)}(${[first, ...values].map(echo).join(', ')})`;
  return `for several values write ${list}${isDecimal ? `; ${DECIMAL}` : ''}`;
}

/** The words of a text are asked for in a group; `in` compares whole values. */
function listSign({ operator, ...before }: PredicateNode, type: string | undefined): string {
  if ('!<n'.includes(operator.charAt(0)) || operator === ':!=') return ' not in ';
  return type === 'text' && before.kind === 'equals' && before.form === 'words' ? ':' : ' in ';
}

function isComma(code: number): boolean {
  return code === CODE.comma || isForeignComma(code);
}

function valuesFrom(text: string, comma: number): readonly string[] {
  const values: string[] = [];
  for (let at = comma; isComma(text.charCodeAt(at)) && values.length < MOST_VALUES; ) {
    const value = opensCondition(text, at + 1) ? undefined : literalAt(text, at + 1);
    if (value === undefined || /^(and|or|not)$/i.test(value.text)) break;
    values.push(text.slice(value.position, value.position + value.length));
    at = afterSpace(text, value.position + value.length);
  }
  return values;
}
