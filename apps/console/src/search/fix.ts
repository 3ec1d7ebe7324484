import type { ErrorItem } from '@carbon/client';
import { type Token, tokensOf } from './criteria-tokens.js';

/** A change of a text that removes an error. */
export interface Fix {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The words of a hint before its rewrite, and those after it. */
const BEFORE = /(?:write|spaces:) (.+)$/;
const AFTER = /, or | or use |, with | for (?:words|all|any|how)|; | \((?:a|three) /;
/** A hint that lists what may be meant rewrites nothing. */
const LISTS = / for any of them|^for several values .*; for a decimal/;
const LEFT_OUT = /^leave (?:it|"\+") out/;
const WITHOUT_STATEMENT = 'criteria are conditions alone';
/** The hint for a sign that stands for a word: `write or, with spaces around it`. */
const JOINT = /^(and|or)$/;

/**
 * Returns the change that the API proposes for an error: its suggestion in place of the marked piece, or the rewrite in
 * its hint, which replaces the condition around the piece if it is a condition of a field. Prose in a hint is no rewrite.
 */
export function fixOf(text: string, item: ErrorItem, fields: readonly string[]): Fix | undefined {
  const { position, length = 0, suggestion, hint = '' } = item;
  if (item.field !== 'criteria' || position === undefined) return undefined;
  const marked = { from: position, to: position + length };
  if (suggestion !== undefined) return { ...marked, insert: suggestion };
  const rewrite = LISTS.test(hint) ? undefined : BEFORE.exec(hint)?.[1]?.split(AFTER)[0];
  const field = conditionField(rewrite ?? '', fields);
  if (hint.includes(WITHOUT_STATEMENT))
    return field === undefined ? undefined : { from: 0, to: text.length, insert: rewrite ?? '' };
  if (LEFT_OUT.test(hint)) return { ...marked, insert: '' };
  if (rewrite === undefined) return undefined;
  if (field !== undefined) {
    const around = conditionAround(text, marked, field);
    // A chain such as `3 < rating < 5`: a rewrite of one half must not drop the other.
    return comparisons(text.slice(around.from, around.to)) > 1 ? undefined : { ...around, insert: rewrite };
  }
  const joint = JOINT.exec(rewrite)?.[1];
  if (joint !== undefined)
    return /^\W$/.test(text.slice(marked.from, marked.to)) ? { ...marked, insert: ` ${joint} ` } : undefined;
  return isValue(rewrite) ? { ...marked, insert: rewrite } : undefined;
}

function comparisons(text: string): number {
  return (text.replace(/"[^"]*"|'[^']*'/g, '').match(/[<>=!:~^]+/g) ?? []).length;
}

/** Whether a text is one value or a range, not a sentence. */
function isValue(text: string): boolean {
  const tokens = tokensOf(text);
  return tokens.length === 1 || (tokens.length <= 3 && tokens.some((token) => token.text === '..'));
}

/** The field that a rewrite is a condition of; undefined for one that is a value or an operator. */
function conditionField(rewrite: string, fields: readonly string[]): string | undefined {
  const [first, second, third] = tokensOf(rewrite);
  const name = first?.text === 'not' ? second : first;
  const after = first?.text === 'not' ? third : second;
  return after === undefined ? undefined : fields.find((field) => field === name?.text);
}

/** The condition of a field around a marked piece: from the field's last name before it to the next `and`, `or` or `)`. */
function conditionAround(text: string, marked: Omit<Fix, 'insert'>, field: string): Omit<Fix, 'insert'> {
  const tokens = tokensOf(text);
  const isName = ({ text: name, from }: Token) => from <= marked.to && name.toLowerCase() === field.toLowerCase();
  const start = tokens.findLast(isName) ?? tokens.find(({ to }) => to > marked.from);
  const from = Math.min(start?.from ?? marked.from, marked.from);
  let depth = 0;
  let isBetween = false;
  for (const token of tokens.filter((one) => one.from >= from)) {
    const isBound: boolean = isBetween && /^and$/i.test(token.text);
    isBetween = isBound ? false : isBetween || /^between$/i.test(token.text);
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    const isJoint = /^(?:and|or|&&|\|\|)$/i.test(token.text) && depth === 0 && !isBound;
    if ((isJoint || depth < 0) && token.from >= marked.to)
      return { from, to: text.slice(0, token.from).trimEnd().length };
  }
  return { from, to: text.trimEnd().length };
}
